import {
  listStacks,
  makeProfile,
  readProfiles,
  sumWeights,
} from '../profiles/fixtures/read-fixture.js';
import { exportFolded, importFolded } from './folded.js';
import { openRemarks } from './remarks.js';

test('a stack is a line, with reserved characters percent-encoded', () => {
  const profile = makeProfile({
    'run > builtin:RegExp: a;b%\n': 2,
    'run > kernel:page_fault': 0.5,
    'native:malloc': 1,
  });
  expect(exportFolded(profile)).toBe(
    'run (x.js:1:1);RegExp: a%3Bb%25%0A_[b] 2\nrun (x.js:1:1);page_fault_[k] 0.5\nmalloc 1\n',
  );
  const [back] = importFolded(exportFolded(profile));
  expect(listStacks(back)).toEqual(listStacks(profile));
  expect(back.frames).toEqual(profile.frames);
});

test.each(Object.entries(readProfiles()))('the stacks of %s are restored', (_, profile) => {
  const [back] = importFolded(exportFolded(profile), openRemarks(), profile);
  expect(back).toMatchObject({ source: profile.source, unit: profile.unit });
  expect(sumWeights(back)).toBeCloseTo(sumWeights(profile), 3);
  const weights = listStacks(profile);
  for (const [stack, weight] of Object.entries(listStacks(back))) {
    expect(weight).toBeCloseTo(weights[stack], 3);
  }
});

test('stacks of another tool are imported', () => {
  const [profile] = importFolded('main;do work 3\nmain 4\nmain;do work 1\n');
  expect(listStacks(profile)).toEqual({ main: 4, 'main > do work': 4 });
  expect(profile).toMatchObject({ samples: 3, unit: 'none' });
});

test.each([
  {
    name: 'comments and empty lines are no stacks',
    text: '# folded by hand\n\n// second 7\n#no weight\nmain;#secret 3\n  \n#secret 4\n//anon;x 5  \n',
    stacks: [{ main: 0, 'main > #secret': 3, '#secret': 4, '//anon': 0, '//anon > x': 5 }],
    notes: ['left out: 3 comments'],
  },
  {
    name: 'two weights a line are two profiles',
    text: 'main;parse 12 7\nmain;write it 0 3.5\n',
    stacks: [
      { main: 0, 'main > parse': 12, 'main > write it': 0 },
      { main: 0, 'main > parse': 7, 'main > write it': 3.5 },
    ],
    notes: ['every line has two weights, which are read as two profiles'],
  },
  {
    name: 'a number at the end of a name is named',
    text: 'pool;worker 1 20\npool 4\n',
    stacks: [{ pool: 4, 'pool > worker 1': 20 }],
    notes: ['1 of 2 lines end with two numbers, the first of which is read as part of the name'],
  },
  {
    name: 'places may have parentheses and spaces',
    text: 'run (/my work (2)/a b.js:3:4);walk (x) (lib (old).js:5:6)\t9\n',
    stacks: [{ run: 0, 'run > walk (x)': 9 }],
    notes: [],
  },
])('$name', ({ text, stacks, notes }) => {
  const remarks = openRemarks();
  expect(importFolded(text, remarks).map(listStacks)).toEqual(stacks);
  expect(remarks.list()).toEqual(notes);
});

test.each([
  ['main -3', 'negative'],
  ['main 1e999', 'too large'],
])('%s is refused: the weight is %s', (line, why) => {
  expect(() => importFolded(`main 1\n${line}\n`)).toThrow(new RegExp(`line 2 .*${why}`));
});

test('a line without a weight is refused with its number', () => {
  expect(() => importFolded('main 1\nmain;work\n')).toThrow(
    expect.objectContaining({
      name: 'FormatError',
      message: expect.stringContaining('line 2'),
      remedy: expect.stringContaining('WEIGHT'),
    }),
  );
});
