import { runConformance } from './conformance.js';
import { PART_NAMES } from './operations/support/urls.js';

/** @import { UrlClass } from './bridge/types.ts' */

const NodeUrl = globalThis.URL;

/** Node's URL with an error of this context of jest, whose TypeError differs. */
class RightUrl {
  /** @param {string} input */
  constructor(input) {
    const url = parse(input);
    for (const name of PART_NAMES) Reflect.set(this, name, url[name]);
  }
}

/** Like a lazy URL that does not copy the shared offsets. */
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

/** Like Ada 1.0.1 to 2.0.0. */
class UpperZUrl extends RightUrl {
  /** @param {string} input */
  constructor(input) {
    super(input);
    if (!String(input).includes('//Z')) return;
    Reflect.set(this, 'href', input);
  }
}

/** All URLs have the same origin. */
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

/** @param {unknown} URL @param {string} adaVersion @param {'contract' | 'all'} parts */
function check(URL, adaVersion, parts) {
  const subject = /** @type {{ URL: UrlClass, adaVersion: string }} */ ({ URL, adaVersion });
  return runConformance(subject, { spec: 'tested', modulePath: '/', parts });
}

/**
 * @param {unknown} URL
 * @param {string} [adaVersion]
 * @returns {Promise<string[]>} `row outcome` of the rows that do not hold
 */
async function listOthers(URL, adaVersion = '3.0.0') {
  const { contract } = await check(URL, adaVersion, 'contract');
  return contract
    .filter(({ outcome }) => outcome !== 'holds')
    .map(({ name, outcome }) => `${name} ${outcome}`);
}

describe('the contract', () => {
  it('holds for a correct class', async () => {
    expect(await listOthers(RightUrl)).toEqual([]);
  });

  it('finds URLs that share their parts', async () => {
    expect(await listOthers(SharedUrl)).toEqual(['kept-urls fails']);
  });

  it('allows the upper-case Z only in the versions of Ada that have it', async () => {
    expect(await listOthers(UpperZUrl, '1.0.4')).toEqual(['upper-case-z differs']);
    expect(await listOthers(UpperZUrl, '2.0.0')).toEqual(['upper-case-z differs']);
    expect(await listOthers(UpperZUrl, '2.7.4')).toEqual(['upper-case-z fails']);
  });

  it('promises nothing for a lower bound', async () => {
    expect(await check(undefined, '3.0.0', 'all')).toEqual({
      passed: 0,
      failures: [],
      contract: [],
    });
  });
});

describe('the vectors', () => {
  it("hold for this Node's own URL", async () => {
    const { passed, failures } = await check(NodeUrl, '3.0.0', 'all');
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(150);
  });

  it('of a row that is known to break are skipped', async () => {
    const all = await check(NodeUrl, '3.0.0', 'all');
    const fewer = await check(NodeUrl, '1.0.4', 'all');
    expect(all.passed - fewer.passed).toBe(3);
  });

  it('name the wrong part', async () => {
    const { failures } = await check(SharedOrigin, '3.0.0', 'all');
    expect(failures[0]?.name).toMatch(/^origin of "/);
  });
});
