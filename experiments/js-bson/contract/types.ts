import type { VariantDescription } from '../../../harness/formats/types.ts';
import type * as contract from '../../support/contract.js';

/** The exports of a variant, with the classes of bson for those that it lacks. Untyped, because a
 * variant can be any JavaScript module. */
export type Codec = Record<string, any> & { variant?: VariantDescription };

type Subjects = [codec: Codec, reference: Codec];

export type Theme = contract.Theme<Subjects>;
