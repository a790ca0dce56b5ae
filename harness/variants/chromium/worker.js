/**
 * The JavaScript worker in a page of Chromium: this process reads the job, starts a browser for it, gives it the
 * modules and files that it asks for, and writes the report of the page (decision 0042).
 *
 * Arguments: the executable of the browser, the directory of the package `buffer`, flags of V8, and the path of the
 * worker in other runtimes, which is not used here.
 */
import { readFileSync } from 'node:fs';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { makeAnswers } from './answers.js';
import { startBrowser } from './browser.js';
import { PageModules, ORIGIN, findBrowserModule } from './modules.js';

/** @import { Job } from '../../formats/types.ts' */

/** Isolated from other sites, a page has the finer clock. */
const HEADERS = Object.entries({
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-store',
}).map(([name, value]) => ({ name, value }));

const [, , executable, bufferPath, ...others] = process.argv;
const flags = others.slice(0, -1);
const job = readJob();
const browser = startBrowser(executable, flags);
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
  process.on(signal, () => void end(1));
}
try {
  const { product } = await browser.send('Browser.getVersion');
  const version = product.split('/')[1];
  requireRuntime(version);
  const result = await runInPage(job);
  const report = {
    formatVersion: FORMAT_VERSION,
    jobId: job.id,
    kind: job.kind,
    runtime: { name: 'chromium', version, flags },
    ...result,
  };
  process.stdout.write(JSON.stringify(report), () => void end(0));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`, () => void end(1));
}

/** @param {number} status */
async function end(status) {
  await browser.close();
  process.exit(status);
}

/** @returns {Job} of which the module is the one for browsers */
function readJob() {
  const received = JSON.parse(readFileSync(0, 'utf8'));
  if (received.formatVersion !== FORMAT_VERSION) {
    throw new Error(
      `job has format ${received.formatVersion}, this worker reads format ${FORMAT_VERSION}`,
    );
  }
  const { variant } = received;
  return {
    ...received,
    variant: { ...variant, modulePath: findBrowserModule(variant.modulePath) },
  };
}

/** @param {string} version */
function requireRuntime(version) {
  const { runtime } = job;
  const own = `chromium@${version}`;
  if (runtime !== undefined && runtime !== own) {
    throw new Error(`job is for ${runtime}, this worker runs under ${own}`);
  }
}

/** @param {Job} given @returns {Promise<object>} what the page reports */
async function runInPage(given) {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const modules = new PageModules(given, bufferPath);
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ text) => reject(new Error(text.replaceAll(ORIGIN, '')));
    const answers = makeAnswers({
      job: given,
      browser,
      sessionId,
      modules,
      onFinish: resolve,
      onFail: fail,
    });
    browser.ended.then(fail);
    browser.listen('Inspector.targetCrashed', () => fail('the page crashed'));
    browser.listen('Target.targetCrashed', () => fail('the page crashed'));
    browser.listen('Fetch.requestPaused', ({ requestId, request }) =>
      fulfil(requestId, request, { given, answers, modules, sessionId }).catch(reject),
    );
    openPage(sessionId).catch(reject);
  });
}

/** @param {string} sessionId */
async function openPage(sessionId) {
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, sessionId);
  await browser.send('Inspector.enable', {}, sessionId);
  await browser.send('Page.navigate', { url: `${ORIGIN}/` }, sessionId);
}

/**
 * Answers a request in the place of a server.
 *
 * @param {string} requestId
 * @param {{ url: string, postDataEntries?: { bytes: string }[] }} request
 * @param {{ given: Job, answers: ReturnType<typeof makeAnswers>, modules: PageModules, sessionId: string }} page
 */
async function fulfil(requestId, request, page) {
  const { status, type, body } = await respond(request, page);
  await browser.send(
    'Fetch.fulfillRequest',
    {
      requestId,
      responseCode: status,
      responseHeaders: [...HEADERS, { name: 'content-type', value: type }],
      body: Buffer.from(body).toString('base64'),
    },
    page.sessionId,
  );
}

/**
 * @param {Parameters<typeof fulfil>[1]} request
 * @param {Parameters<typeof fulfil>[2]} page
 * @returns {Promise<{ status: number, type: string, body: string | Uint8Array }>}
 */
async function respond({ url, postDataEntries = [] }, { given, answers, modules }) {
  const { origin, pathname, searchParams } = new URL(url);
  try {
    if (origin !== ORIGIN) throw new Error(`a page of Assay has no access to ${origin}`);
    const name = searchParams.get('ask');
    if (name !== null) {
      const bytes = Buffer.concat(
        postDataEntries.map((entry) => Buffer.from(entry.bytes, 'base64')),
      );
      const about = searchParams.get('about') ?? (bytes.length === 0 ? 'null' : bytes.toString());
      const answer = (await answers[name]({ about: JSON.parse(about), bytes })) ?? null;
      return answer instanceof Uint8Array
        ? { status: 200, type: 'application/octet-stream', body: answer }
        : { status: 200, type: 'application/json', body: JSON.stringify(answer) };
    }
    if (pathname === '/') return { status: 200, type: 'text/html', body: modules.makePage(given) };
    const path = decodeURIComponent(pathname);
    if (path === '/favicon.ico') return { status: 404, type: 'text/plain', body: '' };
    return { status: 200, type: 'text/javascript', body: modules.readModule(path) };
  } catch (error) {
    const { message, code } = /** @type {NodeJS.ErrnoException} */ (error);
    // The browser does not tell the page why a module does not load.
    if (!searchParams.has('ask')) process.stderr.write(`${pathname}: ${message}\n`);
    return { status: 500, type: 'application/json', body: JSON.stringify({ message, code }) };
  }
}
