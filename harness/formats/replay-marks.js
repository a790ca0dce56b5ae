/** Start and end of the replay record in a page. */
export const REPLAY_START = '<script type="application/json" id="assay-replay">';
export const REPLAY_END = '</script>';
