/** Where the decoded bytes are. */
export const BUFFERS = ['heap', 'direct', 'netty-direct', 'netty-composite'];
/** How the end of a name is found. */
export const SCANS = ['relative', 'absolute', 'swar'];
/** How a string is made from bytes. */
export const STRINGS = ['copy', 'view', 'scratch'];
