import { randomUUID } from 'node:crypto';
import { makeCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { renderMarkdown, renderTerminal } from '../../fixtures/render.js';

const made = makeCell({
  operation: 'serialize',
  corpus: 'flat',
  verdict: 'slower',
  ratio: [1.1, 1.2, 1.3],
});

/** @param {number} count of hosts, of which the last disagrees */
function runOn(count) {
  const effects = Array.from({ length: count }, (_, index) => ({
    host: `host-${index + 1}`,
    processes: 8,
    ratio: { estimate: 1.2 + index / 100, low: 1.1, high: 1.3 },
    disagrees: index === count - 1,
  }));
  const comparison = { ...made, hosts: { spread: 0.013, effects } };
  return { manifest: makeManifest({ cells: [made.cell] }), verdict: makeVerdict([comparison]) };
}

test('a run over several hosts has the effect on each, and names one that disagrees', () => {
  const text = renderTerminal(runOn(3)).replaceAll('\u00a0', ' ');
  expect(text).toMatch(/3 hosts .*spread 1\.3 %/);
  expect(text).toMatch(/– host-2 +1\.210 +1\.100–1\.300 +8 processes$/m);
  expect(text).toMatch(/– host-3 .* 8 processes, disagrees$/m);
});

test('of many hosts only those that disagree are listed', () => {
  const text = renderMarkdown(runOn(40));
  expect(text).toContain('40 hosts');
  expect(text).toContain('host-40');
  expect(text).not.toContain('host-7 ');
});

test('hosts are grouped by what they are, with what their calibrations found', () => {
  const { manifest, verdict } = runOn(3);
  const { environment } = manifest;
  const calibration = {
    id: 'c',
    createdAt: manifest.createdAt,
    falsePositives: { count: 1, of: 40, low: 0, high: 0.1 },
    detectable: [],
  };
  const hosts = ['host-1', 'host-2', 'host-3'].map((host, index) => ({
    kind: /** @type {const} */ ('host'),
    formatVersion: manifest.formatVersion,
    fleetId: randomUUID(),
    host,
    environment: { ...environment, ...(index === 2 ? { cpuModel: 'Other' } : {}) },
    ...(index === 1 ? { calibration } : {}),
  }));
  const text = renderMarkdown({ manifest, verdict, hosts });
  expect(text).toMatch(/host-1, host-2 *\|[^|]*\| *1 of 40 on 1 host/);
  expect(text).toMatch(/host-3 *\| [^|]*Other[^|]*\| *not calibrated/);
  // No cell has an effect on any host, or there is one host.
  const alone = makeVerdict([made]);
  expect(renderMarkdown({ manifest, verdict: alone, hosts })).toMatch(
    /host-1, host-2 *\|[^|]*\| *1 of 40 on 1 host/,
  );
  expect(renderMarkdown({ manifest, verdict: alone, hosts: hosts.slice(2) })).toMatch(
    /host-3 *\| [^|]*Other[^|]*\| *not calibrated/,
  );
});

test('a run without a fleet has no such section', () => {
  const run = { manifest: makeManifest({ cells: [made.cell] }), verdict: makeVerdict([made]) };
  expect(renderMarkdown(run)).not.toMatch(/effect on each host|What the hosts are/);
});
