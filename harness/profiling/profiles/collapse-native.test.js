import { expect, test } from '@jest/globals';
import { collapseNative } from './collapse-native.js';
import { listStacks, makeProfile } from './fixtures/read-fixture.js';

test('native and system code counts to what called it', () => {
  const profile = makeProfile({
    'run > builtin:ObjectKeys > native:GetKeys > kernel:page_fault': 1,
    'run > builtin:ObjectKeys > native:GetKeys': 2,
    'run > native:malloc': 4,
    run: 8,
  });
  expect(listStacks(collapseNative(profile))).toEqual({ run: 12, 'run > ObjectKeys': 3 });
});

test('functions that the family built stay, with what they call of C++ and libc', () => {
  const profile = makeProfile({
    'run > native:napi_call > code:parse > native:helper': 1,
    'run > native:napi_call': 2,
  });
  expect(listStacks(collapseNative(profile))).toEqual({ run: 2, 'run > parse': 1 });
});

test('a callback out of native code stays, under the function above it', () => {
  const profile = makeProfile({ 'run > native:Invoke > builtin:JSEntry > run': 1, 'run > run': 2 });
  expect(listStacks(collapseNative(profile))).toEqual({ run: 0, 'run > run': 3 });
});

test('native code that nothing of ours called is the program', () => {
  const profile = makeProfile({ 'native:main > native:uv_run': 1, 'native:main > run': 2 });
  expect(listStacks(collapseNative(profile))).toEqual({ '(program)': 1, run: 2 });
});

test.each([
  'CEntry_Return1_ArgvOnStack_NoBuiltinExit',
  'JSEntry',
  'JSRunMicrotasksEntry',
  'JSEntryTrampoline',
  'InterpreterEntryTrampoline',
  'InterpreterPushArgsThenFastConstructFunction',
  'Call_ReceiverIsAny',
  'CallFunction_ReceiverIsNullOrUndefined',
  'CallWithSpread',
  'ConstructHandler',
  'JSBuiltinsConstructStub',
  'ArgumentsAdaptor',
  'AdaptorWithBuiltinExitFrame',
  'RecordWriteIgnoreFP',
  'LdaNamedPropertyHandler',
])('%s carries a call', (name) => {
  const profile = makeProfile({ [`run > builtin:${name}`]: 1 });
  expect(listStacks(collapseNative(profile))).toEqual({ run: 1 });
});

test.each([
  'ObjectEntries',
  'GeneratorPrototypeNext',
  'ResumeGeneratorTrampoline',
  'KeyedLoadICTrampoline_Megamorphic',
  'CallApiCallbackOptimizedNoProfiling',
  'ArrayIteratorPrototypeNext',
  'LoadIC',
  'KeyedLoadIC_Megamorphic',
  'StringIndexOf',
  'CallSitePrototypeGetFileName',
  'RegExp: ^Call_',
  'Typeof',
  'SetConstructor',
])('%s is known to a programmer', (name) => {
  const profile = makeProfile({ [`run > builtin:${name}`]: 1 });
  expect(listStacks(collapseNative(profile))).toEqual({ run: 0, [`run > ${name}`]: 1 });
});

test('the function of a generator is below its resume', () => {
  const stack = 'run > builtin:GeneratorPrototypeNext > native:Execution::Call > generateFields';
  expect(listStacks(collapseNative(makeProfile({ [stack]: 1 })))).toEqual({
    run: 0,
    'run > GeneratorPrototypeNext': 0,
    'run > GeneratorPrototypeNext > generateFields': 1,
  });
});
