import { demangle } from './demangle.js';

test.each([
  [
    '_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpaceE',
    'v8::internal::Heap::CollectGarbage',
  ],
  [
    '_ZN2v88internal12_GLOBAL__N_16InvokeEPNS0_7IsolateE',
    'v8::internal::(anonymous namespace)::Invoke',
  ],
  [
    '_ZN2v88internal16OrderedHashTableINS0_14OrderedHashSetELi1EE6RehashEv',
    'v8::internal::OrderedHashTable::Rehash',
  ],
  ['_ZNK2v88internal10BitFieldV8IbLm16EE6decodeEj', 'v8::internal::BitFieldV8::decode'],
  ['_ZN4node16NodeMainInstanceC2Ev', 'node::NodeMainInstance::NodeMainInstance'],
  ['_ZN2v811HandleScopeD1Ev', 'v8::HandleScope::~HandleScope'],
  ['_ZNSt6vectorIiSaIiEE9push_backEOi', 'std::vector::push_back'],
  ['_ZStlsISt11char_traitsIcEERSoS2_PKc', 'std::operator<<'],
  ['_ZNSo5flushEv', 'std::ostream::flush'],
  ['_ZnwmRKSt9nothrow_t', 'operator new'],
  ['_ZL10RunMessagev', 'RunMessage'],
  ['_ZN4node8CallbackIZNS_4Pipe5CloseEvEUlPvE_E4CallEv', 'node::Callback::Call'],
  ['_ZN4node7SPrintFIJRA17_KcLPv0EEEEvv', 'node::SPrintF'],
  ['_ZZN4node3RunEvENKUliE_clEi', '_ZZN4node3RunEvENKUliE_clEi'],
  ['_ZN99tooShort', '_ZN99tooShort'],
  ['_Z', '_Z'],
  ['Builtins_ObjectKeys', 'Builtins_ObjectKeys'],
])('%s is %s', (symbol, name) => {
  expect(demangle(symbol)).toBe(name);
});
