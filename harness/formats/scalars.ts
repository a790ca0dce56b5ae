/**
 * Numbers and texts with a range. The tags are keywords of JSON Schema and become part of the schema of
 * every field of the type; a field may add its own tags. Units are in the names of fields:
 * `wallMs`, `sizeBytes`.
 */

/** Version of the format; a reader refuses any other. */
export type FormatVersion = 11;

/** @minLength 1 */
export type Text = string;

/** @pattern ^sha256:[0-9a-f]{64}$ */
export type Digest = string;

/** Name and exact version of a JavaScript runtime: `node@22.11.0`, `bun@1.4.5`.
 * @pattern ^[a-z][a-z0-9-]*@\d+(\.\d+)+$ */
export type RuntimeVersion = string;

/** Whole hash of a commit.
 * @pattern ^(?:[0-9a-f]{40}|[0-9a-f]{64})$ */
export type CommitHash = string;

/** UTC, ISO 8601.
 * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d */
export type Timestamp = string;

/** @asType integer */
export type Integer = number;

/** @asType integer
 * @minimum 0 */
export type Count = number;

/** @asType integer
 * @minimum 1 */
export type AtLeastOne = number;

/** @asType integer
 * @minimum 0
 * @maximum 4294967295 */
export type Seed = number;

/** @minimum 0 */
export type NonNegative = number;

/** @exclusiveMinimum 0 */
export type Positive = number;

/** @minimum 0
 * @maximum 1 */
export type Share = number;

/** @exclusiveMinimum 0
 * @exclusiveMaximum 1 */
export type OpenShare = number;
