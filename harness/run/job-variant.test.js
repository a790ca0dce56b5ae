import { describe, expect, test } from '@jest/globals';
import { chooseNode, describeJobNode } from './job-variant.js';

describe('the Node of a job', () => {
  test.each([
    ['that of the pin', { node: '20.20.2' }, { node: '22.11.0' }, '20.20.2'],
    ['else that of the cell', {}, { node: '22.11.0' }, '22.11.0'],
    ['else none', {}, {}, undefined],
    ['of a variant without a cell that of the pin', { node: '20.20.2' }, undefined, '20.20.2'],
  ])('is %s', (_, variant, cell, node) => {
    expect(chooseNode(variant, cell)).toBe(node);
    expect(describeJobNode(variant, cell)).toStrictEqual(node === undefined ? {} : { node });
  });
});
