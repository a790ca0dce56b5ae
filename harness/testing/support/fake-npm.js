import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const EXECUTABLE = { mode: 0o755 };

/**
 * @typedef {object} FakeNpm
 * @property {string} programPath directory of the program, to be put first on PATH
 * @property {string} cachePath an empty cache
 * @property {() => void} putFirst puts it first on the PATH of this process, until it is removed
 * @property {() => string[]} listCalls the verbs so far: `view`, `install`, `ci`
 * @property {() => void} remove also restores the PATH
 */

/**
 * Makes an npm that knows some versions of every runtime and needs no network. Each runtime it installs is a
 * program that prints its versions.
 *
 * @param {object} registry
 * @param {string[]} [registry.versions] without them there is no package for this platform
 * @param {string} [registry.says] script of every runtime that it installs, instead
 * @param {boolean} [registry.isDown]
 * @param {boolean} [registry.isSilent] whether it hangs
 * @param {boolean} [registry.isCutOff] whether it is killed halfway through `ci`
 * @returns {FakeNpm}
 */
export function makeFakeNpm(registry) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-npm-'));
  const cachePath = join(directory, 'cache');
  const logPath = join(directory, 'calls');
  const { PATH } = process.env;
  const runtime = join(directory, 'runtime');
  writeFileSync(join(directory, 'npm'), makeProgram({ ...registry, logPath, runtime }), EXECUTABLE);
  writeFileSync(runtime, `#!/bin/sh\n${registry.says ?? sayVersions('VERSION')}\n`, EXECUTABLE);
  return {
    programPath: directory,
    cachePath,
    putFirst: () => void (process.env.PATH = `${directory}${delimiter}${PATH}`),
    listCalls: () =>
      existsSync(logPath) ? readFileSync(logPath, 'utf8').trimEnd().split('\n') : [],
    remove() {
      process.env.PATH = PATH;
      rmSync(directory, { recursive: true });
    },
  };
}

/**
 * The program: does `npm view PACKAGE versions`, `npm install PACKAGE@VERSION` or `npm ci`. A shell script, which starts
 * sooner than Node.
 *
 * @param {{ versions?: string[], isDown?: boolean, isSilent?: boolean, isCutOff?: boolean, logPath: string, runtime: string }} registry
 * @returns {string}
 */
function makeProgram({ versions, isDown, isSilent, isCutOff, logPath, runtime }) {
  const installLocked = `import(${JSON.stringify(import.meta.url)}).then((npm) => npm.installLocked(${isCutOff === true}))`;
  return `#!/bin/sh
fail() {
  printf '{"error":{"code":"%s","summary":"%s"}}' "$1" "$2"
  printf 'npm error %s\\n' "code $1" "$2" 'A complete log of this run can be found in: /logs/1.log' >&2
  exit 1
}
flags="$*"
words=
for word; do
  case $word in --*) ;; *) words="$words $word" ;; esac
done
set -- $words
verb=$1 name=\${2%@*} version=\${2##*@}
echo "$verb" >>'${logPath}'
${isSilent === true ? 'exec sleep 600' : ''}
${isDown === true ? "fail ECONNREFUSED 'connect ECONNREFUSED'" : ''}
[ "$verb" = ci ] && exec '${process.execPath}' -e '${installLocked}' -- $flags
${versions === undefined ? "fail E404 'Not Found'" : ''}
[ "$verb" = view ] && exec printf '%s' '${JSON.stringify(versions)}'
case ' ${versions?.join(' ')} ' in *" $version "*) ;; *) fail ETARGET 'No matching version' ;; esac
path=node_modules/$name
mkdir -p "$path/bin"
sed "s/VERSION/$version/g" '${runtime}' >"$path/deno"
chmod 755 "$path/deno"
ln "$path/deno" "$path/bin/node"
ln "$path/deno" "$path/bin/bun"
printf '{"packages":{"%s":{"version":"%s","integrity":"sha512-of-%s"}}}' "$path" "$version" "$version" >package-lock.json
`;
}

/**
 * @param {string} version
 * @returns {string} script of a program that is every runtime of this version
 */
export function sayVersions(version) {
  const versions = { node: version, bun: version, deno: version, v8: '1.2.3', webkit: 'c0ffee' };
  return `echo '${JSON.stringify(versions)}'`;
}

/**
 * Installs the lock file of the working directory, as empty packages.
 *
 * @param {boolean} isCutOff whether it is killed before the last of them
 */
export function installLocked(isCutOff) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const omitsDev = process.argv.includes('--omit=dev');
  const paths = Object.keys(packages).filter(
    (path) => path !== '' && !(omitsDev && packages[path].dev),
  );
  for (const path of isCutOff ? paths.slice(0, -1) : paths) {
    mkdirSync(path, { recursive: true });
    writeFileSync(`${path}/package.json`, '{}');
  }
  if (isCutOff) process.kill(process.pid, 'SIGKILL');
}
