/**
 * Every stored or transmitted shape, and what families and recorders export. A field is described where it is
 * declared, with its unit; `npm run write-schemas` generates the JSON Schemas that validate it (`schemas.json`).
 */

export type * from './calibration.ts';
export type * from './display.ts';
export type * from './explanation.ts';
export type * from './family.ts';
export type * from './fleet.ts';
export type * from './formats.ts';
export type * from './following.ts';
export type * from './history.ts';
export type * from './memory.ts';
export type * from './observations.ts';
export type * from './protocol.ts';
export type * from './recorder.ts';
export type * from './run.ts';
export type * from './runtime.ts';
export type * from './stored.ts';
export type * from './studies.ts';
export type * from './verdict.ts';
export type * from './watch.ts';
