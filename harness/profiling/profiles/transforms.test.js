import { listStacks, makeProfile } from './fixtures/read-fixture.js';
import { functionKey } from './frames.js';
import {
  addWaiting,
  collapseNative,
  focusProfile,
  meanProfile,
  nameCallers,
  scaleCollector,
  scaleProfile,
  sumByFunction,
} from './transforms.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

/** @param {{ name: string }} frame */
function isRun({ name }) {
  return name === 'run';
}

test('the tree below the measured loop is kept, whatever its callers', () => {
  const whole = makeProfile({
    main: 1,
    'main > run': 2,
    'main > run > write': 4,
    'main > warm > run > write': 8,
    'main > write': 16,
  });
  const { profile, droppedShare } = focusProfile(whole, isRun);
  expect(listStacks(profile)).toEqual({ run: 2, 'run > write': 12 });
  expect(droppedShare).toBeCloseTo(17 / 31);
});

test('the outermost loop is the root', () => {
  const { profile } = focusProfile(makeProfile({ 'main > run > write > run': 3 }), isRun);
  expect(listStacks(profile)).toEqual({ run: 0, 'run > write': 0, 'run > write > run': 3 });
});

test('garbage collection and program are kept at the root only', () => {
  const whole = makeProfile({
    run: 1,
    'gc:(garbage collector)': 2,
    'program:(program)': 4,
    'main > program:(program)': 8,
  });
  const { profile, droppedShare } = focusProfile(whole, isRun);
  expect(listStacks(profile)).toEqual({ run: 1, '(garbage collector)': 2, '(program)': 4 });
  expect(droppedShare).toBeCloseTo(8 / 15);
});

test('only lines of kept functions remain', () => {
  const whole = makeProfile({ 'run > write': 6, 'main > write': 2, 'main > log': 1 });
  const [write, log] = ['write', 'log'].map((name) =>
    whole.frames.findIndex((frame) => frame.name === name),
  );
  whole.lines = [
    { frame: write, line: 3, self: 6 },
    { frame: write, line: 4, self: 2 },
    { frame: log, line: 9, self: 1 },
  ];
  const { profile } = focusProfile(whole, isRun);
  const frame = profile.frames.findIndex(({ name }) => name === 'write');
  expect(profile.lines).toEqual([
    { frame, line: 3, self: 4.5 },
    { frame, line: 4, self: 1.5 },
  ]);
});

test('an empty profile drops nothing', () => {
  expect(focusProfile(makeProfile({}), isRun).droppedShare).toBe(0);
});

test.each([
  {
    name: 'native code and the kernel count towards their caller',
    stacks: {
      'run > builtin:ObjectKeys > native:GetKeys > kernel:page_fault': 1,
      'run > builtin:ObjectKeys > native:GetKeys': 2,
      'run > native:malloc': 4,
      run: 8,
    },
    expected: { run: 12, 'run > ObjectKeys': 3 },
  },
  {
    name: 'functions built by the family are kept, with the native code that they call',
    stacks: {
      'run > native:napi_call > code:parse > native:helper': 1,
      'run > native:napi_call': 2,
    },
    expected: { run: 2, 'run > parse': 1 },
  },
  {
    name: 'a callback from native code is kept below its nearest caller',
    stacks: { 'run > native:Invoke > builtin:JSEntry > run': 1, 'run > run': 2 },
    expected: { run: 0, 'run > run': 3 },
  },
  {
    name: 'native code without a caller is the program',
    stacks: { 'native:main > native:uv_run': 1, 'native:main > run': 2 },
    expected: { '(program)': 1, run: 2 },
  },
  {
    name: 'the function of a generator is below its resumption',
    stacks: {
      'run > builtin:GeneratorPrototypeNext > native:Execution::Call > generateFields': 1,
    },
    expected: {
      run: 0,
      'run > GeneratorPrototypeNext': 0,
      'run > GeneratorPrototypeNext > generateFields': 1,
    },
  },
])('$name', ({ stacks, expected }) => {
  expect(listStacks(collapseNative(makeProfile(stacks)))).toEqual(expected);
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
])('%s is internal', (name) => {
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
])('%s is kept', (name) => {
  const profile = makeProfile({ [`run > builtin:${name}`]: 1 });
  expect(listStacks(collapseNative(profile))).toEqual({ run: 0, [`run > ${name}`]: 1 });
});

test('a builtin and its callees are named by the calling function', () => {
  const profile = makeProfile({
    'run > generateFields > builtin:entries': 3,
    'run > generateFields > builtin:entries > builtin:Array': 2,
    run: 1,
  });
  const named = nameCallers(profile);
  expect(listStacks(named)).toEqual({
    run: 1,
    'run > generateFields': 0,
    'run > generateFields > entries in generateFields': 3,
    'run > generateFields > entries in generateFields > Array in generateFields': 2,
  });
  expect(named.frames.map(({ file }) => file)).toEqual(['x.js', 'x.js', 'x.js', 'x.js']);
});

test('a frame without a caller with a file keeps its name', () => {
  expect(listStacks(nameCallers(makeProfile({ 'builtin:entries': 1 })))).toEqual({ entries: 1 });
});

/** @param {number} working @param {number} collecting 0 for no samples of collections */
function makeTimedProfile(working, collecting) {
  return makeProfile({
    run: working,
    ...(collecting === 0 ? {} : { 'gc:(garbage collector)': collecting }),
  });
}

test('the time in which the event loop waits is added beside the functions, with its share', () => {
  const waiting = addWaiting(makeTimedProfile(30, 10), 0.6);
  expect(waiting.nodes.map(({ self }) => self)).toEqual([30, 10, expect.closeTo(60, 9)]);
  const { frame, parent } = waiting.nodes[2];
  expect(parent).toBe(-1);
  expect(waiting.frames[frame].name).toBe('waiting for timers and other threads');
});

const selves = (/** @type {Profile[]} */ profiles) =>
  profiles.map(({ nodes }) => nodes.map(({ self }) => self));

describe('the time of garbage collection', () => {
  test('is scaled to its share over all processes, which keep their differences', () => {
    const scaled = scaleCollector([makeTimedProfile(90, 1), makeTimedProfile(90, 3)], 0.1);
    expect(selves(scaled)).toEqual([
      [90, 5],
      [90, 15],
    ]);
  });

  test('is added if it has no samples', () => {
    const [scaled] = scaleCollector([makeTimedProfile(90, 0)], 0.1);
    expect(selves([scaled])).toEqual([[90, 10]]);
    expect(scaled.frames[scaled.nodes[1].frame].kind).toBe('gc');
  });

  test('is unchanged if the share is unknown, or zero without samples', () => {
    const profiles = [makeTimedProfile(90, 1)];
    expect(scaleCollector(profiles, null)).toBe(profiles);
    const idle = [makeTimedProfile(90, 0)];
    expect(scaleCollector(idle, 0)).toBe(idle);
  });
});

test('a scaled copy has other weights and as many samples', () => {
  const profile = makeProfile({ run: 2, 'run > write': 4 });
  profile.lines = [{ frame: 0, line: 3, self: 2 }];
  const scaled = scaleProfile(profile, 0.25);
  expect(listStacks(scaled)).toEqual({ run: 0.5, 'run > write': 1 });
  expect(scaled.lines).toEqual([{ frame: 0, line: 3, self: 0.5 }]);
  expect(scaled.samples).toBe(profile.samples);
  expect(profile.nodes[0].self).toBe(2);
});

test('a node has its mean weight, 0 where it is missing', () => {
  const first = makeProfile({ run: 2, 'run > write': 4 });
  const second = makeProfile({ 'builtin:Typeof': 6, run: 4 });
  const mean = meanProfile([first, second]);
  expect(listStacks(mean)).toEqual({ run: 3, 'run > write': 2, Typeof: 3 });
  expect(mean.samples).toBe(2);
});

test('lines have their mean weight', () => {
  const profiles = [makeProfile({ run: 2 }), makeProfile({ run: 4 })];
  profiles[0].lines = [{ frame: 0, line: 3, self: 2 }];
  profiles[1].lines = [{ frame: 0, line: 5, self: 4 }];
  expect(meanProfile(profiles).lines).toEqual([
    { frame: 0, line: 3, self: 1 },
    { frame: 0, line: 5, self: 2 },
  ]);
});

test('the mean of one profile is that profile', () => {
  const profile = makeProfile({ run: 2, 'run > write > run': 4 });
  expect(meanProfile([profile])).toEqual(profile);
});

/** @param {Profile} profile */
function listSums(profile) {
  return Object.fromEntries(
    [...sumByFunction(profile).values()].map(({ frame, self, total }) => [
      frame.name,
      [self, total],
    ]),
  );
}

test('a recursive function counts once per stack', () => {
  const profile = makeProfile({
    run: 1,
    'run > write': 2,
    'run > write > each > write': 4,
    'write > each': 8,
  });
  expect(listSums(profile)).toEqual({ run: [1, 7], write: [6, 14], each: [8, 12] });
});

test('weights of frames with the same key are summed', () => {
  const profile = makeProfile({ 'run > write': 1 });
  profile.frames.push({ ...profile.frames[0], line: 9 });
  profile.nodes.push({ frame: 2, parent: 1, self: 2 });
  const sums = sumByFunction(profile);
  expect(sums.get(functionKey(profile.frames[0]))).toEqual({
    frame: profile.frames[0],
    self: 2,
    total: 3,
  });
});

test('a stack may have 10 000 frames', () => {
  const profile = makeProfile({ run: 0 });
  for (let depth = 1; depth < 10_000; depth++) {
    profile.nodes.push({ frame: 0, parent: depth - 1, self: 1 });
  }
  expect(listSums(profile)).toEqual({ run: [9_999, 9_999] });
});
