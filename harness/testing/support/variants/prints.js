/** Right, but writes to standard output, where the report of the worker goes. */
export * from 'bson';

console.log('{"formatVersion": 1, "jobId": "forged"}');
