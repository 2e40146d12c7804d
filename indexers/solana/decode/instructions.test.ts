import type { RawTransaction } from '../raw';
import { flattenInstructions, instructionTree } from './instructions';

const keys = ['payer', 'A', 'B', 'C', 'D', 'E'];
const instruction = (program: string, stackHeight: number | null) => ({
  programIdIndex: keys.indexOf(program),
  accounts: [0],
  data: '',
  stackHeight,
});
const transaction = (inner: readonly ReturnType<typeof instruction>[]): RawTransaction => ({
  transaction: {
    signatures: ['s'],
    message: {
      header: { numRequiredSignatures: 1 },
      accountKeys: keys,
      instructions: [instruction('A', 1), instruction('E', 1)],
    },
  },
  meta: {
    err: null,
    fee: 0,
    preBalances: [],
    postBalances: [],
    innerInstructions: [{ index: 0, instructions: inner }],
  },
});
interface Tree {
  programId: string;
  innerInstructions?: Tree[] | undefined;
}
const shape = (tree: readonly Tree[]): string =>
  tree.map(({ programId, innerInstructions = [] }) => `${programId}(${shape(innerInstructions)})`).join(' ');

test('instructions are nested below their caller, at the stack height of the chain', () => {
  const raw = transaction([
    instruction('B', 2),
    instruction('C', 3),
    instruction('D', 4),
    instruction('C', 3),
    instruction('B', 2),
  ]);
  expect(shape(instructionTree(flattenInstructions(raw, keys)))).toBe('A(B(C(D()) C()) B()) E()');
});

test('an instruction deeper than wallets read is listed after its caller', () => {
  const raw = transaction([
    instruction('B', 2),
    instruction('C', 3),
    instruction('D', 4),
    instruction('E', 5),
    instruction('B', 2),
  ]);
  expect(shape(instructionTree(flattenInstructions(raw, keys)))).toBe('A(B(C(D() E())) B()) E()');
});

test('without stack heights all called instructions have depth 1', () => {
  const raw = transaction([instruction('B', null), instruction('C', null)]);
  expect(shape(instructionTree(flattenInstructions(raw, keys)))).toBe('A(B() C()) E()');
});

test('an instruction of a program that is not among the accounts cannot be decoded', () => {
  const raw = transaction([{ ...instruction('B', 2), programIdIndex: 9 }]);
  expect(() => flattenInstructions(raw, keys)).toThrow('account index 9 of 6 accounts');
});
