import { affectedAccounts, isVote } from './affected-accounts';
import { VOTE_PROGRAM } from './programs';
import type { RawTransaction } from './raw';

const balance = (accountIndex: number, owner: string) => ({
  accountIndex,
  mint: 'mint',
  owner,
  uiTokenAmount: { amount: '1', decimals: 0 },
});

const raw: RawTransaction = {
  transaction: {
    signatures: ['s'],
    message: {
      header: { numRequiredSignatures: 1 },
      accountKeys: ['payer', 'from', 'to', 'program'],
      instructions: [{ programIdIndex: 3, accounts: [1, 2], data: '' }],
    },
  },
  meta: {
    err: null,
    fee: 5,
    preBalances: [10, 1, 1, 1, 7, 9],
    postBalances: [5, 1, 1, 1, 7, 9],
    loadedAddresses: { writable: ['loaded'], readonly: ['looked-at'] },
    preTokenBalances: [balance(1, 'giver')],
    postTokenBalances: [balance(1, 'giver'), balance(2, 'taker')],
  },
};

test.each([
  ['an account of its own', 'to', true],
  ['an account from a lookup table', 'looked-at', true],
  ['the owner of a token account before', 'giver', true],
  ['the owner of a token account after', 'taker', true],
  ['any other account', 'stranger', false],
])('affects %s', (_, account, expected) => {
  expect(affectedAccounts(raw, new Set([account]))).toEqual(expected ? [account] : []);
});

test('lists an account once', () => {
  expect(affectedAccounts(raw, new Set(['giver', 'from', 'payer']))).toEqual(['payer', 'from', 'giver']);
});

test('without a scope: signers and changed accounts, not those that are only read', () => {
  expect(affectedAccounts(raw, 'all').sort()).toEqual(['payer', 'taker', 'to']);
});

test.each([
  ['another amount', { uiTokenAmount: { amount: '2', decimals: 0 } }, ['from', 'giver', 'payer']],
  ['another owner', { owner: 'heir' }, ['from', 'giver', 'heir', 'payer']],
  ['another mint', { mint: 'coin' }, ['from', 'giver', 'payer']],
])('without a scope, a token account with %s is changed', (_, after, expected) => {
  const meta = { ...raw.meta!, postTokenBalances: [{ ...balance(1, 'giver'), ...after }] };
  expect(affectedAccounts({ ...raw, meta }, 'all').sort()).toEqual(expected);
});

test('without a scope, a token account that was closed is changed', () => {
  const meta = { ...raw.meta!, postTokenBalances: [] };
  expect(affectedAccounts({ ...raw, meta }, 'all').sort()).toEqual(['from', 'giver', 'payer']);
});

test('a vote is a transaction of nothing but the vote program', () => {
  const { message } = raw.transaction;
  const vote = { ...message, accountKeys: ['validator', 'from', 'to', VOTE_PROGRAM] };
  expect(isVote({ ...raw, transaction: { ...raw.transaction, message: vote } })).toBe(true);
  expect(isVote(raw)).toBe(false);
});
