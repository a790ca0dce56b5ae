import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../lib/project.js';
import { quoteWords } from '../../lib/words.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { testLong } from '../../testing/support/gates.js';
import { callAssay } from '../../testing/support/project.js';
import { profileInProcesses, scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';

/** @import { Verdict } from '../../formats/types.ts' */

const room = makeTestDirectory('typescript');
const BUILD = quoteWords([
  'node',
  join(PROJECT.assayPath, 'node_modules', 'typescript', 'bin', 'tsc'),
]);

const WRITE = `interface Writer {
  text: string;
}

export function encode(value: unknown): string {
  const writer: Writer = { text: '' };
  writeValue(writer, value);
  return writer.text;
}

function writeValue(writer: Writer, value: unknown): void {
  writer.text += JSON.stringify(value);
}
`;
const SLOWER = WRITE.replace(
  'writer.text += JSON.stringify(value);',
  `for (let round = 0; round < 20; round++) {
    writer.text = JSON.stringify(value);
  }`,
);
const FILES = {
  'package.json': JSON.stringify({ name: '@x/texts', type: 'module', exports: './out/index.js' }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'nodenext', rootDir: 'src', outDir: 'out' },
      ...{ sourceMap: true, types: [] },
    },
    include: ['src'],
  }),
  'src/index.ts':
    "export { encode } from './write.js';\nexport const decode = (text: string): unknown => JSON.parse(text);\n",
  'src/write.ts': WRITE,
};

testLong('revisions of a project in TypeScript are explained by their sources', async () => {
  const repository = makeRepository(join(room, 'texts'));
  const commits = [FILES, { 'src/write.ts': SLOWER }].map((files) => repository.commit(files));
  const variants = commits.map((commit) => `git:texts@${commit}`);
  const out = join(room, 'runs');
  try {
    const options = ['--op', 'encode', '--corpus', 'flat', '--explain', 'all', '--build', BUILD];
    const { stderr } = await callAssay(['compare', ...variants, ...options, '--out', out], {
      workingPath: room,
      runJob: profileInProcesses(
        scriptJobs({
          factor: ({ variant }) => (variant.modulePath.includes(commits[1]) ? 20 : 1),
        }),
      ),
    });
    const [run] = readdirSync(out);
    expect([stderr, run]).toEqual([expect.not.stringContaining('error:'), expect.any(String)]);
    /** @type {Verdict} */
    const verdict = JSON.parse(readFileSync(join(out, run, 'verdict.json'), 'utf8'));
    const [cell] = verdict.explanation?.cells ?? [];
    expect(cell.functions).toContainEqual(
      expect.objectContaining({
        ...{ name: 'writeValue', file: '@x/texts/src/write.ts', line: 11, edited: true },
      }),
    );
    expect(cell.paragraph.join(' ')).toContain('writeValue (@x/texts/src/write.ts:11)');
    const page = readFileSync(join(out, run, 'report.html'), 'utf8');
    expect(page).toContain('writer.text = JSON.stringify(value);');
    expect(page).not.toContain('out/write.js');
  } finally {
    const builds = join(PROJECT.treesPath, 'git');
    for (const name of existsSync(builds) ? readdirSync(builds) : []) {
      if (commits.some((commit) => name.startsWith(commit))) {
        rmSync(join(builds, name), { recursive: true });
      }
    }
  }
});
