import { makeOrFind } from './broker.js';

test('what another process is just making is found', async () => {
  let calls = 0;
  const add = async () => {
    if (++calls < 2) throw new Error('subjects overlap with an existing stream');
    return 'made';
  };
  await expect(makeOrFind(add)).resolves.toBe('made');
});

test('a request that is refused each time fails with the reason', async () => {
  const add = async () => {
    throw new Error('insufficient resources');
  };
  await expect(makeOrFind(add)).rejects.toThrow('insufficient resources');
});
