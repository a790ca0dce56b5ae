/** A version of Node as users write it: a release line, `22`, or an exact version, `22.11.0`. */
export const NODE_VERSION = /^[1-9]\d{0,2}(?:\.\d{1,3}\.\d{1,3})?$/;

/** An exact version: `22.11.0`. */
export const EXACT_NODE_VERSION = /^[1-9]\d{0,2}\.\d{1,3}\.\d{1,3}$/;
