import type { RawTransaction } from '../raw';
import { callsOf, nested } from './calls';

const keys = ['payer', 'A', 'B', 'C', 'D', 'E'];
const call = (program: string, stackHeight: number | null) => ({
  programIdIndex: keys.indexOf(program),
  accounts: [0],
  data: '',
  stackHeight,
});
const transaction = (inner: readonly ReturnType<typeof call>[]): RawTransaction => ({
  transaction: {
    signatures: ['s'],
    message: {
      header: { numRequiredSignatures: 1 },
      accountKeys: keys,
      instructions: [call('A', 1), call('E', 1)],
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

test('calls hang below their caller, at the depth the chain tells', () => {
  const raw = transaction([call('B', 2), call('C', 3), call('D', 4), call('C', 3), call('B', 2)]);
  expect(shape(nested(callsOf(raw, keys)))).toBe('A(B(C(D()) C()) B()) E()');
});

test('what is deeper than wallets read stands beside its caller', () => {
  const raw = transaction([call('B', 2), call('C', 3), call('D', 4), call('E', 5), call('B', 2)]);
  expect(shape(nested(callsOf(raw, keys)))).toBe('A(B(C(D() E())) B()) E()');
});

test('without depths all calls are direct ones', () => {
  const raw = transaction([call('B', null), call('C', null)]);
  expect(shape(nested(callsOf(raw, keys)))).toBe('A(B() C()) E()');
});

test('an instruction of a program that is not among the accounts cannot be decoded', () => {
  const raw = transaction([{ ...call('B', 2), programIdIndex: 9 }]);
  expect(() => callsOf(raw, keys)).toThrow('instruction of account 9 of 6');
});
