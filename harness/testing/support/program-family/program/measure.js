const CHUNK_PASSES = 4;

/** What the loop makes, kept so that no pass is dead code. */
const made = new Uint8Array(1 << 20);

/**
 * The measured loop.
 *
 * @param {Uint8Array[]} documents
 * @param {number} rounds how often the work on a document is done
 * @param {number} passes
 */
function runPasses(documents, rounds, passes) {
  for (let pass = 0; pass < passes; pass++) {
    for (const document of documents) {
      for (let round = 0; round < rounds; round++) {
        for (let from = 0, to = document.length; from < document.length;) {
          made[--to] = document[from++];
        }
      }
    }
  }
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} rounds
 * @param {{ warmUpMs: number, maxWarmUpMs: number, batchCount: number, batchMs: number }} settings
 */
export function measure(documents, rounds, { warmUpMs, maxWarmUpMs, batchCount, batchMs }) {
  const warmUp = runFor(documents, rounds, Math.min(warmUpMs, maxWarmUpMs));
  const passes = Math.max(1, Math.round((warmUp.passes * batchMs) / warmUp.ms));
  const before = process.resourceUsage();
  const startMs = performance.now();
  const batches = Array.from({ length: batchCount }, () => {
    const batchStartMs = performance.now();
    runPasses(documents, rounds, passes);
    return performance.now() - batchStartMs;
  });
  const wallMs = performance.now() - startMs;
  const after = process.resourceUsage();
  const documentsPerBatch = passes * documents.length;
  return {
    batchNsPerDocument: batches.map((ms) => (ms * 1e6) / documentsPerBatch),
    documentsPerBatch,
    warmUp: { ms: warmUp.ms, calls: warmUp.passes * documents.length, settled: true },
    cpuUserMs: (after.userCPUTime - before.userCPUTime) / 1e3,
    cpuSystemMs: (after.systemCPUTime - before.systemCPUTime) / 1e3,
    wallMs,
    gcCount: 0,
    gcMs: 0,
    voluntaryContextSwitches: after.voluntaryContextSwitches - before.voluntaryContextSwitches,
    involuntaryContextSwitches:
      after.involuntaryContextSwitches - before.involuntaryContextSwitches,
    autogroupRaised: false,
  };
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} rounds
 * @param {{ passes: number } | { warmUpMs: number, recordMs: number }} work
 */
export function exercise(documents, rounds, work) {
  if ('warmUpMs' in work) runFor(documents, rounds, work.warmUpMs);
  const startMs = monotonicMs();
  let passes;
  if ('passes' in work) {
    passes = work.passes;
    runPasses(documents, rounds, passes);
  } else {
    passes = runFor(documents, rounds, work.recordMs).passes;
  }
  const endMs = monotonicMs();
  return {
    documents: passes * documents.length,
    wallMs: endMs - startMs,
    window: { startMs, endMs },
    collections: {},
  };
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} rounds
 * @param {number} wantedMs
 */
function runFor(documents, rounds, wantedMs) {
  const startMs = performance.now();
  let passes = 0;
  let ms;
  do {
    runPasses(documents, rounds, CHUNK_PASSES);
    passes += CHUNK_PASSES;
    ms = performance.now() - startMs;
  } while (ms < wantedMs);
  return { passes, ms };
}

/** @returns {number} */
function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}
