import { expect, test } from '@jest/globals';
import { findBuiltinWords } from './causes.js';

test.each([
  ['ObjectEntries', 'Object.entries'],
  ['GeneratorPrototypeNext', 'resuming generators'],
  ['ResumeGeneratorTrampoline', 'resuming generators'],
  ['CreateIterResultObject', 'iterator results'],
  ['ArrayIteratorPrototypeNext', 'array iterators'],
  ['KeyedLoadIC_Megamorphic', 'property reads that V8 did not inline'],
  ['LoadICTrampoline', 'property reads that V8 did not inline'],
  ['KeyedStoreIC', 'property writes that V8 did not inline'],
  ['KeyedHasIC', 'property existence checks'],
  ['FindOrderedHashSetEntry', 'Map and Set'],
  ['SetPrototypeAdd', 'Map and Set'],
  ['RegExpExecAtom', 'regular expressions'],
  ['StringIndexOf', 'String.prototype.indexOf'],
  ['CEntry_Return1_ArgvOnStack_NoBuiltinExit', "calls into V8's C++"],
])('%s is %s', (name, words) => {
  expect(findBuiltinWords(name)).toBe(words);
});

test('a builtin without a heading keeps its own name', () => {
  expect(findBuiltinWords('MathHypot')).toBeNull();
});
