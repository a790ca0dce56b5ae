import * as bson from 'bson';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as linkedList from '../variants/linked-list.js';
import { operation } from './http-json.js';
import {
  countCalls,
  makeComments,
  storeTestCorpus,
  withoutIds,
} from './test-support/test-corpus.js';
import { makeTestDirectory } from '../../../harness/testing/support/directories.js';
import { testLong } from '../../../harness/testing/support/gates.js';

const COUNT = 120;
const corpus = storeTestCorpus(makeComments(COUNT));
const packagePath = makeTestDirectory('autocannon');

const SETTINGS = { warmUpMs: 1, warmUpCalls: 200, maxWarmUpMs: 50, batchCount: 2, batchMs: 0.1 };

/** A replacement for autocannon: writes its process id and arguments to a file, then sends requests. */
const LOAD = `
  const { Agent, get } = require('node:http');
  const { writeFileSync } = require('node:fs');
  const args = process.argv.slice(2);
  const url = args.at(-1);
  const connections = Number(args[args.indexOf('--connections') + 1]);
  writeFileSync(__dirname + '/asked.json', JSON.stringify({ pid: process.pid, url, connections }));
  const agent = new Agent({ keepAlive: true });
  function ask() {
    get(url, { agent }, (response) => response.resume().on('end', ask));
  }
  for (let connection = 0; connection < connections; connection++) ask();
`;

/**
 * @param {string} script that replaces autocannon
 * @param {(bytes: Uint8Array) => object} deserialize
 */
async function measureUnder(script, deserialize) {
  writeFileSync(join(packagePath, 'autocannon.js'), script);
  const state = await operation.prepare({ deserialize }, corpus);
  const conditions = { settings: SETTINGS, packages: { autocannon: packagePath } };
  return operation.measure?.(state, conditions);
}

/** @param {object} module */
async function outputOf(module) {
  return operation.output(await operation.prepare(module, corpus));
}

describe('http-json', () => {
  test('run does the work of one response per page', async () => {
    const deserialize = countCalls((/** @type {Uint8Array} */ bytes) => bson.deserialize(bytes));
    const state = await operation.prepare({ deserialize: deserialize.call }, corpus);
    operation.run(state, 3);
    expect(deserialize.count).toBe(COUNT * 3);
    expect(withoutIds(state.last)).toEqual(
      withoutIds(JSON.stringify(makeComments(COUNT).slice(100))),
    );
  });

  testLong('the output is the responses of the server, 100 documents each', async () => {
    const comments = makeComments(COUNT);
    const expected = [comments.slice(0, 100), comments.slice(100)].map((page) =>
      Buffer.from(JSON.stringify(page)),
    );
    expect(await outputOf(bson)).toEqual(expected);
    expect(await outputOf(linkedList)).toEqual(expected);
  });

  test('a wrong deserialize changes the output, one that throws fails with its error', async () => {
    const [expected] = await outputOf(bson);
    const [found] = await outputOf({
      deserialize: (/** @type {Uint8Array} */ bytes) => ({ ...bson.deserialize(bytes), name: '' }),
    });
    expect(await operation.explainDifference(expected, found)).toMatchObject({ path: '[0].name' });
    const fails = outputOf({
      deserialize() {
        throw new RangeError('cannot read this');
      },
    });
    await expect(fails).rejects.toThrow('cannot read this');
  });
});

describe('measuring http-json', () => {
  testLong(
    'reports CPU time per request under 30 connections and leaves no process behind',
    async () => {
      const deserialize = countCalls((/** @type {Uint8Array} */ bytes) => bson.deserialize(bytes));
      const measurement = await measureUnder(LOAD, deserialize.call);
      if (measurement === undefined) throw new Error('http-json measures nothing itself');

      const { batchNsPerDocument, documentsPerBatch, warmUp } = measurement;
      expect(batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
      expect(batchNsPerDocument.every((ns) => ns > 0)).toBe(true);
      expect(documentsPerBatch).toBeGreaterThanOrEqual(30);
      const requests = warmUp.calls / 100 + documentsPerBatch * SETTINGS.batchCount;
      expect(deserialize.count).toBeGreaterThanOrEqual(requests * 60);

      const asked = JSON.parse(readFileSync(join(packagePath, 'asked.json'), 'utf8'));
      expect(asked.connections).toBe(30);
      expect(() => process.kill(asked.pid, 0)).toThrow('ESRCH');
      await expect(fetch(asked.url)).rejects.toThrow('fetch failed');
    },
  );

  test('fails with the log of the load when it ends early', async () => {
    const script = `console.error('cannot ask'); process.exit(3);`;
    await expect(measureUnder(script, bson.deserialize)).rejects.toThrow(
      'autocannon ended (status 3) before the measurement: cannot ask',
    );
  });

  test('fails with the error of the variant', async () => {
    const fails = measureUnder(LOAD, function refuse() {
      throw new RangeError('cannot read this');
    });
    await expect(fails).rejects.toThrow('cannot read this');
    const { pid } = JSON.parse(readFileSync(join(packagePath, 'asked.json'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('names the missing package', async () => {
    const state = await operation.prepare(bson, corpus);
    const measuring = operation.measure?.(state, { settings: SETTINGS, packages: {} });
    await expect(measuring).rejects.toThrow("no package 'autocannon'");
  });
});
