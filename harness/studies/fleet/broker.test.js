import { makeOrFind } from './broker.js';

test('what another process is just making is found', async () => {
  let calls = 0;
  const add = async () => {
    if (++calls < 2) throw new Error('subjects overlap with an existing stream');
    return 'made';
  };
  await expect(makeOrFind(add)).resolves.toBe('made');
});

test('what is there and differs is refused after three tries, any other error at once', async () => {
  let calls = 0;
  const refuse = (/** @type {string} */ message) => async () => {
    calls++;
    throw new Error(message);
  };
  await expect(makeOrFind(refuse('stream name already in use'))).rejects.toThrow('already in use');
  expect(calls).toBe(3);
  await expect(makeOrFind(refuse('timeout'))).rejects.toThrow('timeout');
  expect(calls).toBe(4);
});
