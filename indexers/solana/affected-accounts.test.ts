import fc from 'fast-check';
import { runs } from '../../test/random';
import { encodeBase58 } from '../../contracts/encoding/base58';
import { affectedAccounts, isConsensusVote } from './affected-accounts';
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

test('without a scope, a failed transaction affects every account that it mentions', () => {
  const meta = { ...raw.meta!, err: { InstructionError: [0, { Custom: 1 }] } };
  const mentioned = ['from', 'loaded', 'looked-at', 'payer', 'program', 'to'];
  expect(affectedAccounts({ ...raw, meta }, 'all').sort()).toEqual(mentioned);
});

describe('a consensus vote', () => {
  const transaction = (tag: number, instructions = 1): RawTransaction => {
    const data = Buffer.alloc(76, 7);
    data.writeUInt32LE(tag);
    const vote = { programIdIndex: 2, accounts: [1, 0], data: encodeBase58(data) };
    const message = {
      header: { numRequiredSignatures: 1 },
      accountKeys: ['validator', 'vote account', VOTE_PROGRAM],
      instructions: Array.from({ length: instructions }, () => vote),
    };
    return { ...raw, transaction: { signatures: ['s'], message } };
  };

  test.each([
    ['Vote', 2],
    ['VoteSwitch', 6],
    ['UpdateVoteState', 8],
    ['UpdateVoteStateSwitch', 9],
    ['CompactUpdateVoteState', 12],
    ['CompactUpdateVoteStateSwitch', 13],
    ['TowerSync', 14],
    ['TowerSyncSwitch', 15],
  ])('is %s', (_, tag) => {
    expect(isConsensusVote(transaction(tag))).toBe(true);
  });

  test.each([
    ['InitializeAccount', 0],
    ['Authorize', 1],
    ['Withdraw', 3],
    ['UpdateValidatorIdentity', 4],
    ['UpdateCommission', 5],
    ['AuthorizeChecked', 7],
    ['AuthorizeWithSeed', 10],
    ['AuthorizeCheckedWithSeed', 11],
    ['one of a later version', 16],
  ])('is not %s', (_, tag) => {
    expect(isConsensusVote(transaction(tag))).toBe(false);
  });

  test('is distinguished from other data of any length by its first bytes', () => {
    const votes = [2, 6, 8, 9, 12, 13, 14, 15];
    const withData = (data: Uint8Array): RawTransaction => {
      const { message } = transaction(2).transaction;
      const instructions = [{ ...message.instructions[0]!, data: encodeBase58(data) }];
      return { ...raw, transaction: { signatures: ['s'], message: { ...message, instructions } } };
    };
    const tags = fc.oneof(fc.nat(20), fc.constantFrom(0x10e, 0x1_000e, 0x0e00_0000, 0xffff_ffff));
    const rest = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(300).map(length => new Uint8Array(length).fill(0xff)),
      fc.nat(300).map(length => new Uint8Array(length)),
    );
    fc.assert(
      fc.property(tags, rest, (tag, bytes) => {
        const data = Buffer.concat([Buffer.alloc(4), bytes]);
        data.writeUInt32LE(tag);
        expect(isConsensusVote(withData(data))).toBe(votes.includes(tag));
      }),
      runs(150),
    );
  });

  test('is alone in its transaction, and of the vote program', () => {
    expect(isConsensusVote(transaction(2, 2))).toBe(false);
    expect(isConsensusVote(raw)).toBe(false);
  });

  test.each(['', '1', '0OIl', 'not base58'])('is not data such as %j', data => {
    const { message } = transaction(2).transaction;
    const instructions = [{ ...message.instructions[0]!, data }];
    const vote = { ...raw, transaction: { signatures: ['s'], message: { ...message, instructions } } };
    expect(isConsensusVote(vote)).toBe(false);
  });
});
