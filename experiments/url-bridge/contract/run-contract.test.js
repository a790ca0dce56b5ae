import { describe, expect, it } from '@jest/globals';
import { PART_NAMES } from '../operations/support/parts.js';
import { runVectors } from '../vectors/run-vectors.js';
import { runContract } from './run-contract.js';

/** @import { UrlClass } from '../bridge/types.ts' */

const NodeUrl = globalThis.URL;

/** As Node's own; jest's contexts have a TypeError each, so the error is made here. */
class RightUrl {
  /** @param {string} input */
  constructor(input) {
    const url = parse(input);
    for (const name of PART_NAMES) Reflect.set(this, name, url[name]);
  }
}

/** Like a lazy URL that forgot to copy the shared offsets. */
class SharedUrl {
  static last = new NodeUrl('https://none.example/');

  /** @param {string} input */
  constructor(input) {
    SharedUrl.last = parse(input);
    for (const name of PART_NAMES) {
      Object.defineProperty(this, name, { get: () => SharedUrl.last[name] });
    }
  }
}

/** As Ada 1.0.1 to 2.0.0. */
class UpperZUrl extends RightUrl {
  /** @param {string} input */
  constructor(input) {
    super(input);
    if (!String(input).includes('//Z')) return;
    Reflect.set(this, 'href', input);
  }
}

/** Gives every URL one origin. */
class SharedOrigin extends RightUrl {
  /** @param {string} input */
  constructor(input) {
    super(input);
    Reflect.set(this, 'origin', 'https://one.example');
  }
}

/** @param {string} input */
function parse(input) {
  try {
    return new NodeUrl(input);
  } catch {
    throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' });
  }
}

/**
 * @param {unknown} URL
 * @param {string} [adaVersion]
 * @returns {Promise<string[]>} `row outcome` of those that do not hold
 */
async function listOthers(URL, adaVersion = '3.0.0') {
  const rows = await runContract({ URL: /** @type {UrlClass} */ (URL), adaVersion });
  return rows
    .filter(({ outcome }) => outcome !== 'holds')
    .map(({ name, outcome }) => `${name} ${outcome}`);
}

describe('the contract', () => {
  it('holds for a class that is right', async () => {
    expect(await listOthers(RightUrl)).toEqual([]);
  });

  it('finds URLs that share what each must keep', async () => {
    expect(await listOthers(SharedUrl)).toEqual(['kept-urls fails']);
  });

  it('excuses the upper-case Z in the versions of Ada that have it, and in no others', async () => {
    expect(await listOthers(UpperZUrl, '1.0.4')).toEqual(['upper-case-z differs']);
    expect(await listOthers(UpperZUrl, '2.0.0')).toEqual(['upper-case-z differs']);
    expect(await listOthers(UpperZUrl, '2.7.4')).toEqual(['upper-case-z fails']);
  });

  it('promises nothing for a lower bound', async () => {
    expect(await runContract({})).toEqual([]);
  });
});

describe('the vectors', () => {
  it("hold for this Node's own URL", async () => {
    const { passed, failures } = await runVectors(NodeUrl, {});
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(150);
  });

  it('of a row that is known not to hold are left out', async () => {
    const all = await runVectors(NodeUrl, {});
    const fewer = await runVectors(NodeUrl, { 'upper-case-z': 'known' });
    expect(all.passed - fewer.passed).toBe(3);
  });

  it('name the part that is wrong', async () => {
    const { failures } = await runVectors(/** @type {any} */ (SharedOrigin), {});
    expect(failures[0]?.name).toMatch(/^origin of "/);
  });
});
