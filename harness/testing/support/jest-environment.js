import fs from 'node:fs';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// A test need not survive a power failure.
fs.fsyncSync = () => {};

/**
 * Jest's environment for Node with an ordinary global object. Jest's own is a proxy, through which every
 * use of `Math`, `Buffer` or `JSON` takes as long as twenty function calls.
 */
export default class PlainEnvironment extends TestEnvironment {
  /**
   * @param {ConstructorParameters<typeof TestEnvironment>[0]} config
   * @param {ConstructorParameters<typeof TestEnvironment>[1]} context
   */
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}
