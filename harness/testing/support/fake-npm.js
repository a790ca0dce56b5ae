import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const EXECUTABLE = { mode: 0o755 };

/**
 * @typedef {object} FakeNpm
 * @property {string} programPath directory of the program, to be put first on PATH
 * @property {string} cachePath an empty cache
 * @property {() => void} putFirst puts it first on the PATH of this process, until it is removed
 * @property {(changes: Partial<Registry>) => void} change changes what is in the registry from now on
 * @property {() => string[]} listCalls the verbs so far: `view`, `install`, `ci`, with the settings of the project if there are any
 * @property {() => void} remove also restores the PATH
 */

/**
 * @typedef {object} Registry
 * @property {string[]} [versions] without them there is no package for this platform
 * @property {string} [says] script of every runtime that it installs, instead
 * @property {Record<string, string>} [dependencies] newest versions of what every package needs, by name
 * @property {Record<string, Record<string, string>>} [dated] the same by the value of `--before`
 * @property {string[]} [problems] what `ls` finds
 * @property {boolean} [isDown]
 * @property {boolean} [isSilent] whether it hangs
 * @property {boolean} [isCutOff] whether it is killed halfway through `ci`
 */

/**
 * Makes an npm that knows some versions of every runtime and needs no network. Each runtime it installs is a
 * program that prints its versions.
 *
 * @param {Registry} registry
 * @returns {FakeNpm}
 */
export function makeFakeNpm(registry) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-npm-'));
  const cachePath = join(directory, 'cache');
  const logPath = join(directory, 'calls');
  const { PATH } = process.env;
  const runtime = join(directory, 'runtime');
  const change = (/** @type {Registry} */ changes) =>
    writeFileSync(
      join(directory, 'npm'),
      makeProgram({ ...registry, ...changes, logPath, runtime }),
      EXECUTABLE,
    );
  change({});
  writeFileSync(runtime, `#!/bin/sh\n${registry.says ?? sayVersions('VERSION')}\n`, EXECUTABLE);
  return {
    programPath: directory,
    cachePath,
    putFirst: () => void (process.env.PATH = `${directory}${delimiter}${PATH}`),
    change,
    listCalls: () =>
      existsSync(logPath) ? readFileSync(logPath, 'utf8').trimEnd().split('\n') : [],
    remove() {
      process.env.PATH = PATH;
      rmSync(directory, { recursive: true });
    },
  };
}

/**
 * The program: does `npm view PACKAGE versions`, `npm pack PACKAGE@RANGE`, `npm install PACKAGE@VERSION`, `npm ci` or `npm ls`. A shell script,
 * which starts sooner than Node.
 *
 * @param {Registry & { logPath: string, runtime: string }} registry
 * @returns {string}
 */
function makeProgram(registry) {
  const { versions, dependencies = {}, dated = {}, problems = [] } = registry;
  const { isDown, isSilent, isCutOff, logPath, runtime } = registry;
  const self = JSON.stringify(import.meta.url);
  const installLocked = `import(${self}).then((npm) => npm.installLocked(${isCutOff === true}))`;
  const needs = (/** @type {Record<string, string>} */ versionOf) =>
    Object.entries(versionOf).map(([name, newest]) => `need '${name}' '${newest}'`);
  const cases = Object.entries(dated).map(
    ([time, versionOf]) => `*" --before=${time} "*) ${needs(versionOf).join('; ')} ;;`,
  );
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
case $2 in *.tgz) name=codec version=1.0.0 ;; esac
settings=$(cat .npmrc 2>/dev/null || :)
echo "$verb\${settings:+ with $settings}" >>'${logPath}'
${isSilent === true ? 'exec sleep 600' : ''}
${isDown === true ? "fail ECONNREFUSED 'connect ECONNREFUSED'" : ''}
[ "$verb" = ci ] && exec '${process.execPath}' -e '${installLocked}' -- $flags
[ "$verb" = ls ] && exec printf '%s' '${JSON.stringify({ problems })}'
${versions === undefined ? "fail E404 'Not Found'" : ''}
[ "$verb" = view ] && exec printf '%s' '${JSON.stringify(versions)}'
[ "$verb" = pack ] && exec printf '[{"name":"%s","version":"%s"}]' "$name" '${versions?.at(-1)}'
case ' ${versions?.join(' ')} ' in *" $version "*) ;; *) fail ETARGET 'No matching version' ;; esac
path=node_modules/$name
mkdir -p "$path/bin"
sed "s/VERSION/$version/g" '${runtime}' >"$path/deno"
chmod 755 "$path/deno"
ln "$path/deno" "$path/bin/node"
ln "$path/deno" "$path/bin/bun"
lock=
add() {
  lock="$lock\${lock:+,}\\"$1\\":{\\"version\\":\\"$2\\",\\"integrity\\":\\"sha512-of-$2\\"}"
}
add "$path" "$version"
need() {
  set -- "$1" "$2" "$(sed -n "s|.*\\"$1\\": *\\"\\([^\\"]*\\)\\".*|\\1|p" package.json)"
  mkdir -p "node_modules/$1"
  printf '{"name":"%s","version":"%s"}' "$1" "\${3:-$2}" >"node_modules/$1/package.json"
  add "node_modules/$1" "\${3:-$2}"
}
case " $flags " in
  ${cases.join('\n  ')}
  *) ${needs(dependencies).join('; ') || ':'} ;;
esac
printf '{"packages":{%s}}' "$lock" >package-lock.json
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
  const installed = Object.fromEntries(paths.map((path) => [path, packages[path]]));
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
}
