declare module 'jest-light-runner' {
  /** A runner of Jest; what it keeps is not documented. */
  export function createRunner(options: {
    runtime: 'child_process';
  }): new (globalConfig: any) => { _testRunners: Map<object, any> };
}
