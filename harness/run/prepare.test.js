import { PROJECT } from '../lib/project.js';
import { makeRecord } from '../studies/replay/test-support/make-record.js';
import { findFamily, listFamilies } from '../variants/families.js';
import { prepareComparison } from './prepare.js';

test('jobs in pairs are refused on a host that cannot bind them to cores, before anything is fetched', async () => {
  const { question } = await makeRecord();
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, question.family);
  const io = {
    environment: {},
    workingPath: '/',
    signal: AbortSignal.abort(),
    stderr: { write: () => true },
  };
  const paired = {
    ...question,
    candidates: ['nowhere'],
    schedule: /** @type {const} */ ('paired'),
  };
  await expect(prepareComparison(paired, { families, family, io })).rejects.toThrow(
    /a paired schedule needs taskset/,
  );
});
