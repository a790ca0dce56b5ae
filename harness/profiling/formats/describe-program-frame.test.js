import { expect, test } from '@jest/globals';
import { describeProgramFrame } from './describe-program-frame.js';

const BUILD = '/project/.assay/build';
const OWN = `${BUILD}/bin/worker`;
const LIBC = '/usr/lib/x86_64-linux-gnu/libc.so.6';
const MAP = '/tmp/perf-1.map';
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
  const frame = describeProgramFrame(symbol, object, '/project', BUILD);
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
])('%s in %s carries calls: %s, %s', (symbol, object, name, kind) => {
  expect(describeProgramFrame(symbol, object, '/project', BUILD)).toMatchObject({ name, kind });
});

test('a script of a program that runs JavaScript is named as one', () => {
  const symbol = 'JS:*runPasses file:///project/program/main.js:3:4';
  expect(describeProgramFrame(symbol, MAP, '/project', BUILD)).toEqual({
    name: 'runPasses',
    kind: 'js',
    file: 'program/main.js',
    line: 3,
    column: 4,
  });
});

test('without a build nothing is the family’s own but what was compiled as it ran', () => {
  expect(describeProgramFrame('parse', OWN, '/project', null).kind).toBe('native');
  expect(describeProgramFrame('void a.B.c()', MAP, '/project', null).kind).toBe('code');
});
