import { describeBy } from '../profiles/frames.js';
import { makePerfFrame, makeProgramFrame } from './perf-symbols.js';

const describePlace = describeBy('/project');
const MAP = '/tmp/perf-1.map';
const NODE = '/usr/bin/node';

test.each([
  ['JS:*writeUtf8 file:///project/a/b.js:16:26', 'writeUtf8', 'a/b.js', 16, 26],
  ["JS:+'run file:///project/a/b.js:21:6", 'run', 'a/b.js', 21, 6],
  ["JS:o*'openDocument file:///project/a/b.js:1:2", 'openDocument', 'a/b.js', 1, 2],
  ['JS:~get entryType node:internal/perf/x:56:16', 'get entryType', 'node:internal/perf/x', 56, 16],
  ['JS:^ node:internal/perf/observe:127:16', '(anonymous)', 'node:internal/perf/observe', 127, 16],
  ['JS:^#translate node:internal/x:1:2', '#translate', 'node:internal/x', 1, 2],
  ['LazyCompile:~run /project/my files/x.js:1:2', 'run', 'my files/x.js', 1, 2],
  [
    'Script:~ file:///project/harness/worker/worker.js:1:1',
    '(anonymous)',
    'harness/worker/worker.js',
    1,
    1,
  ],
  ['Eval:~ node:stream:1:1', '(anonymous)', 'node:stream', 1, 1],
  ['Function:^walk :3:4', 'walk', null, null, null],
])('%s is a JavaScript function', (symbol, name, file, line, column) => {
  const frame = makePerfFrame(symbol, MAP, describePlace);
  expect(frame).toEqual({ name, kind: 'js', file, line, column });
});

test.each([
  ['Builtins_ObjectEntries', NODE, 'ObjectEntries', 'builtin'],
  ['Builtin:StringIndexOf', MAP, 'StringIndexOf', 'builtin'],
  ['Builtins_KeyedLoadICTrampoline_Megamorphic', NODE, 'KeyedLoadIC_Megamorphic', 'builtin'],
  ['BytecodeHandler:LdaZero', MAP, 'LdaZeroHandler', 'builtin'],
  ['RegExp:^a;b$', MAP, 'RegExp: ^a;b$', 'builtin'],
  ['v8::internal::A<int, (B)7>::C', NODE, 'v8::internal::A<int, (B)7>::C', 'native'],
  ['__memchr_evex', '/usr/lib/libc.so.6', '__memchr_evex', 'native'],
  ['clock_gettime', '[vdso]', 'clock_gettime', 'native'],
  ['[unknown]', '[unknown]', '(unknown)', 'native'],
  ['do_syscall_64', '[kernel.kallsyms]', 'do_syscall_64', 'kernel'],
])('%s in %s is %s, %s', (symbol, object, name, kind) => {
  const frame = makePerfFrame(symbol, object, describePlace);
  expect(frame).toEqual({ name, kind, file: null, line: null, column: null });
});

const BUILD = '/project/.assay/build';
const OWN = `${BUILD}/bin/worker`;
const LIBC = '/usr/lib/x86_64-linux-gnu/libc.so.6';
const MACHINE = '/usr/lib/jvm/lib/server/libjvm.so';

test.each([
  ['codec::parser::Parser<R>::next_event', OWN, 'codec::parser::Parser<R>::next_event'],
  ['codec::parse::h0123456789abcdef', OWN, 'codec::parse'],
  ['codec::parse::h0123456789abcdef.llvm.1234', OWN, 'codec::parse'],
  ['<T as codec::Write>::put', OWN, '<T as codec::Write>::put'],
  ['parse.constprop.0.isra.1', OWN, 'parse'],
  ['parse [clone .cold]', OWN, 'parse'],
  ['memcpy', OWN, 'memcpy'],
  ['void org.example.Codec.read(byte[], int)', MAP, 'org.example.Codec.read'],
  ['java.lang.Object a.B$$Lambda$1/0x00007f3450000a08.apply(int)', MAP, 'a.B$$Lambda.apply'],
  ['java.lang.Object a.B$$Lambda/0x00007f3450000a08.apply(int)', MAP, 'a.B$$Lambda.apply'],
  ['void java.lang.String.<init>(byte[])', '[unknown]', 'java.lang.String.<init>'],
  ['Interpreter', MAP, '(interpreter)'],
  ['_int_malloc', LIBC, 'malloc and free'],
  ['cfree@GLIBC_2.2.5', LIBC, 'malloc and free'],
  ['__libc_calloc', LIBC, 'malloc and free'],
  ['operator new', '/usr/lib/libstdc++.so.6', 'malloc and free'],
  ['__memmove_avx512_unaligned_erms', LIBC, 'memmove'],
  ['__strlen_evex', LIBC, 'strlen'],
])('%s in %s is code', (symbol, object, name) => {
  const frame = makeProgramFrame(symbol, object, describePlace, BUILD);
  expect(frame).toEqual({ name, kind: 'code', file: null, line: null, column: null });
});

test.each([
  ['StubRoutines (1)', MAP, 'StubRoutines (1)', 'native'],
  ['I2C/C2I adapters(0xbbbb)', MAP, 'I2C/C2I adapters(0xbbbb)', 'native'],
  ['JavaCalls::call_helper', MACHINE, 'JavaCalls::call_helper', 'native'],
  ['freelist::put', MACHINE, 'freelist::put', 'native'],
  ['__libc_start_call_main', LIBC, '__libc_start_call_main', 'native'],
  ['[unknown]', LIBC, '(unknown)', 'native'],
  ['memcpy', '[kernel.kallsyms]', 'memcpy', 'kernel'],
])('%s in %s is no code of the program: %s, %s', (symbol, object, name, kind) => {
  expect(makeProgramFrame(symbol, object, describePlace, BUILD)).toMatchObject({ name, kind });
});

test('a function of a program that runs JavaScript is described as such', () => {
  const symbol = 'JS:*runPasses file:///project/program/main.js:3:4';
  expect(makeProgramFrame(symbol, MAP, describePlace, BUILD)).toEqual({
    name: 'runPasses',
    kind: 'js',
    file: 'program/main.js',
    line: 3,
    column: 4,
  });
});

test('without a build, only code compiled at run time is code of the program', () => {
  expect(makeProgramFrame('parse', OWN, describePlace, null).kind).toBe('native');
  expect(makeProgramFrame('void a.B.c()', MAP, describePlace, null).kind).toBe('code');
});
