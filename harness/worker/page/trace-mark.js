/** Name of the mark that a page sets in the trace of its browser. */
export const TRACE_MARK = 'assay';
