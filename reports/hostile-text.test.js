/** Reports are harmless whatever text is in the data. */

import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { makeBisection } from '../harness/studies/bisect/test-support/fixtures.js';
import { makeTrend } from '../harness/studies/trend/test-support/fixtures.js';
import { makeCalibration } from './content/test-support/make-calibration.js';
import { makePeers } from './content/test-support/make-peers.js';
import { makeReproduction } from './content/test-support/make-reproduction.js';
import { explainedRun } from './fixtures/explained.js';
import { findUnseen, poisonDeeply, poisonDocument, POISONED } from './fixtures/hostile.js';
import { recordedRun } from './fixtures/runs.js';
import { describeBisection } from './content/bisection.js';
import { describeCalibration } from './content/calibration.js';
import { describeChecks } from './content/check.js';
import { describeClaims } from './content/claims.js';
import { describeComparison, orderVerdict } from './content/comparison.js';
import { describeDoctor } from './content/doctor.js';
import { describeFuzzing } from './content/fuzz.js';
import { describePeers } from './content/peers.js';
import { describeProfile } from './content/profile.js';
import { describeReproduction } from './content/reproduction.js';
import { describeTrend } from './content/trend.js';
import { renderHtml } from './document/html.js';
import { renderMarkdown } from './document/markdown.js';
import { renderTerminal } from './document/terminal.js';

/** @import { RenderInput } from './types.ts' */
/** @import { Document } from './document/model.ts' */

/** What GitHub makes links of in text that is not code. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|www\.|:[a-z]+:/i;

const RUNS = /** @type {[string, RenderInput][]} */ ([
  ['explained', explainedRun()],
  ['merged', recordedRun('merged')],
  ['of two runtimes', recordedRun('runtimes')],
  ['refused', recordedRun('refused')],
  ['of a program', recordedRun('rust')],
]);
/** What is a document, by its format. @type {[Parameters<typeof poisonDocument>[0], any, (data: any, path?: string) => Document][]} */
const DOCUMENTS = [
  ['reproduction', makeReproduction(), describeReproduction],
  ['calibration', makeCalibration(), describeCalibration],
  ['peers', makePeers(), describePeers],
  [
    'trend',
    makeTrend(),
    (trend, path = '/x') =>
      describeTrend(trend, { path, commandFor: (cellIds) => `just compare ${cellIds}` }),
  ],
];

/** What commands print, from data that no format describes. @type {[string, any, (data: any) => Document][]} */
const SUMMARIES = [
  [
    'check',
    {
      spec: 'path:x',
      reference: 'npm:bson@7.3.1',
      passed: 3,
      differences: [
        { variant: 'v', cellId: 'a b', document: 3, path: 'a.b', expected: '1 a', found: '2 a' },
      ],
      failures: [{ name: 'int32: least', expected: '1 a', found: '2 a' }],
      contract: [
        { theme: 'A theme', name: 'a row', promise: 'A b', outcome: 'fails', detail: 'x y' },
      ],
    },
    (check) => describeChecks([check]),
  ],
  [
    'doctor',
    {
      host: {
        diagnoses: [
          { name: 'A clock', value: 'A b', state: 'note', sentence: 'A b.', advice: 'echo 0\n.' },
        ],
        calibrations: [],
        schedule: null,
      },
      groups: [
        {
          title: 'Tools',
          findings: [
            {
              name: 'A tool',
              summary: 'A b',
              probe: { available: false, reason: 'A b', install: 'A b' },
            },
          ],
        },
      ],
    },
    ({ host, groups }) => describeDoctor(host, groups),
  ],
  [
    'fuzz',
    {
      spec: 'path:x',
      reference: 'npm:bson@7.3.1',
      seed: 7,
      ended: 'complete',
      elapsedMs: 1,
      result: {
        documents: 1,
        differences: 1,
        accepted: 1,
        refused: 1,
        checks: 1,
        errors: { SyntaxError: 1 },
        failures: [
          {
            document: 1,
            kind: 'other-value',
            hex: '05',
            options: { raw: 'A b' },
            writeOptions: {},
            expected: 'A b',
            found: 'A c',
          },
        ],
      },
      files: ['cases/x.json'],
    },
    (summary) => describeFuzzing([summary]),
  ],
  [
    'profile',
    {
      spec: 'path:x',
      path: 'runs/x y',
      recorded: [
        {
          observation: {
            cellId: 'serialize flat',
            recorder: 'perf',
            outcome: 'done',
            artefacts: ['a b.json'],
          },
          profile: { unit: 'ns', samples: 1 },
          functions: [
            {
              frame: { name: 'f g', kind: 'js', file: 'codec/write.js', line: 1, column: 1 },
              self: 1,
              total: 1,
            },
          ],
        },
      ],
    },
    describeProfile,
  ],
];

/** @type {(run: RenderInput) => Promise<RenderInput>} hostile wherever a stranger's run can be */
async function poisonRun({ manifest, verdict, observations, profiles }) {
  return {
    manifest: await poisonDocument('manifest', manifest),
    verdict: await poisonDocument('verdict', verdict),
    ...(observations === undefined ? {} : { observations: poisonDeeply(observations) }),
    ...(profiles === undefined ? {} : { profiles: poisonDeeply(profiles) }),
    runPath: poisonDeeply('/home/x/run'),
  };
}

/** @type {(html: string) => Set<string>} elements, attributes and what they link to */
function listMarkup(html) {
  const { document } = parseHTML(html);
  const found = new Set();
  for (const element of document.querySelectorAll('*')) {
    found.add(element.tagName);
    for (const { name, value } of element.attributes) {
      const isLink = /^(?:href|src|srcset|action|style|xlink:href)$/.test(name);
      // What begins with ./ stays below the report, whatever follows.
      const shown = value.replace(/^\.\/.*/s, './…').replace(/[\d.]+\d/g, '0');
      found.add(`${element.tagName} ${name}${isLink ? ` ${shown}` : ''}`);
    }
  }
  return found;
}

/** @param {string} markdown */
function toHtml(markdown) {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/**
 * @param {string} fileName
 * @param {string} text of the hostile report
 * @param {string} honest the same of the honest one
 */
function expectHarmless(fileName, text, honest) {
  expect(findUnseen(text)).toBeNull();
  if (fileName.endsWith('.html')) {
    const allowed = listMarkup(honest).add('WBR').add('A href ./…');
    expect([...listMarkup(text)].filter((one) => !allowed.has(one))).toEqual([]);
  }
  if (fileName.endsWith('.md')) {
    const page = `<!doctype html><html><body>${toHtml(text)}</body></html>`;
    const honestPage = `<!doctype html><html><body>${toHtml(honest)}</body></html>`;
    const allowed = new Set([...listMarkup(honestPage), 'CODE', 'EM', 'PRE']);
    expect([...listMarkup(page)].filter((one) => !allowed.has(one))).toEqual([]);
    const { body } = parseHTML(page).document;
    for (const code of body.querySelectorAll('code, pre')) code.remove();
    expect(body.textContent).not.toMatch(LINKED);
  }
}

/** @param {Document} hostile @param {Document} honest */
function expectHarmlessDocument(hostile, honest) {
  for (const [name, render] of /** @type {const} */ ([
    ['x.md', renderMarkdown],
    ['x.html', renderHtml],
    ['', (/** @type {Document} */ one) => renderTerminal(one, { color: true })],
  ])) {
    expectHarmless(name, render(hostile), render(honest));
    expect(render(hostile)).toMatch(POISONED);
  }
}

test.each(RUNS)('the run %s is harmless', async (_, run) => {
  expectHarmlessDocument(describeComparison(await poisonRun(run)), describeComparison(run));
});

test.each(DOCUMENTS)('a document of kind %s is harmless', async (kind, honest, describeIt) => {
  const poisoned = describeIt(await poisonDocument(kind, honest), poisonDeeply('/x'));
  expectHarmlessDocument(poisoned, describeIt(honest));
});

test.each(SUMMARIES)('what %s prints is harmless', (_, honest, describeIt) => {
  expectHarmlessDocument(describeIt(poisonDeeply(honest)), describeIt(honest));
});

test('a bisection is harmless', async () => {
  const bisection = await poisonDocument('bisection', makeBisection(5));
  const places = { path: poisonDeeply('/x'), why: poisonDeeply('just compare A B') };
  const honest = describeBisection(makeBisection(5), { path: '/x', why: 'just compare A B' });
  expectHarmlessDocument(describeBisection(bisection, places), honest);
});

test('claims are harmless', () => {
  const { sources, judged } = makeReproduction();
  const claims = judged.map(({ claim }) => poisonDeeply(claim));
  const known = { sources: poisonDeeply(sources), claims, results: {} };
  const honest = { sources, claims: judged.map(({ claim }) => claim), results: {} };
  expectHarmlessDocument(describeClaims(known), describeClaims(honest));
});

test('data stays data', async () => {
  const { verdict } = await poisonRun(explainedRun());
  expect(orderVerdict(verdict)).toEqual(verdict);
});
