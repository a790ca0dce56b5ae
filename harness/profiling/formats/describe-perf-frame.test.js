import { expect, test } from '@jest/globals';
import { describePerfFrame } from './describe-perf-frame.js';

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
])('%s is a function of JavaScript', (symbol, name, file, line, column) => {
  const frame = describePerfFrame(symbol, MAP, '/project');
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
  const frame = describePerfFrame(symbol, object, '/project');
  expect(frame).toEqual({ name, kind, file: null, line: null, column: null });
});
