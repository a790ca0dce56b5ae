/**
 * Frames of deeper levels are not kept, so that one deep document does not leave thousands of them.
 * MongoDB allows this many levels.
 */
export const MOST_KEPT_LEVELS = 100;
