/** The two functions of lodash that the contract calls. */
declare module 'lodash' {
  const lodash: {
    isEqual(a: unknown, b: unknown): boolean;
    cloneDeep(value: any): any;
  };
  export default lodash;
}
