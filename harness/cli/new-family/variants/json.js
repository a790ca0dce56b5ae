// The reference. It is a variant like any other: `compare json b`.

export const variant = { idea: 'the JSON of the runtime', source: 'the runtime' };

export const encode = JSON.stringify;
export const decode = JSON.parse;
