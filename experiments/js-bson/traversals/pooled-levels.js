/**
 * Frames of deeper levels are not kept, so that one odd document does not leave thousands of them
 * behind. As deep as MongoDB lets documents nest.
 */
export const MOST_KEPT_LEVELS = 100;
