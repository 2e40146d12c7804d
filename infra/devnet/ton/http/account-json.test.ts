import { Address, type Cell, Dictionary, type ShardAccount, beginCell, storeShardAccount } from '@ton/core';
import { createShardAccount } from '@ton/sandbox';
import { accountJson, readShardAccount } from './account-json';

const cell = (number: number): Cell => beginCell().storeUint(number, 32).endCell();
const account = (): ShardAccount =>
  createShardAccount({
    address: Address.parseRaw(`0:${'11'.repeat(32)}`),
    balance: 5n,
    code: cell(1),
    data: cell(2),
  });
const roundTrip = (shardAccount: ShardAccount): ShardAccount | null =>
  readShardAccount(beginCell().store(storeShardAccount(shardAccount)).endCell().toBoc());

it('prints extra currencies as decimal strings', () => {
  const rich = account();
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  rich.account!.storage.balance.other = other.set(100, 2n ** 60n).set(7, 1n);
  expect(accountJson(roundTrip(rich), 'lite')).toMatchObject({
    balance: { coins: '5', currencies: { 7: '1', 100: '1152921504606846976' } },
  });
});

it('prints code and data, or only their hashes', () => {
  const plain = roundTrip(account());
  expect(accountJson(plain, 'full')).toMatchObject({
    state: {
      type: 'active',
      code: cell(1).toBoc().toString('base64'),
      data: cell(2).toBoc().toString('base64'),
    },
    last: null,
  });
  expect(accountJson(plain, 'lite')).toMatchObject({
    state: {
      type: 'active',
      codeHash: cell(1).hash().toString('base64'),
      dataHash: cell(2).hash().toString('base64'),
    },
  });
});

it('prints a frozen state by its hash, and the newest transaction', () => {
  const frozen = account();
  frozen.account!.storage.state = { type: 'frozen', stateHash: 255n };
  const used = { ...frozen, lastTransactionLt: 9n, lastTransactionHash: 1n };
  const [stateHash, hash] = ['ff', '01'].map(end =>
    Buffer.from(end.padStart(64, '0'), 'hex').toString('base64'),
  );
  expect(accountJson(roundTrip(used), 'full')).toMatchObject({
    state: { type: 'frozen', stateHash },
    last: { lt: '9', hash },
  });
});

it('prints a missing account as an empty one', () => {
  expect(accountJson(null, 'full')).toEqual({
    state: { type: 'uninit' },
    balance: { coins: '0', currencies: {} },
    last: null,
    storageStat: null,
  });
});
