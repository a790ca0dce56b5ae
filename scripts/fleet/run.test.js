import { findTool } from '../../harness/host/tools.js';
import { isLong } from '../../harness/testing/support/gates.js';
import { measureRun } from './run.js';

const hasServer = findTool('nats-server', process.env) !== null;
const MOST_BYTES = 500e6;

(hasServer && isLong ? test : test.skip)(
  '100,000 results pass through one comparison, each once, in little memory',
  async () => {
    const { observations, residentBytes, bytes } = await measureRun({
      observations: 100_000,
      processes: 2,
      hosts: 20,
    });
    expect(observations).toBeGreaterThanOrEqual(100_000);
    for (const most of Object.values(residentBytes)) {
      expect(most).toBeGreaterThan(10e6);
      expect(most).toBeLessThan(MOST_BYTES);
    }
    expect(bytes.page).toBeLessThan(2e6);
  },
  300_000,
);
