import { Address, beginCell, Dictionary, type ShardAccount, storeShardAccount } from '@ton/core';
import type { TonAccountState } from '../../../contracts/ports/ton-client';

/** Of an account that does not exist, in base64. */
export const NO_ACCOUNT = write({ account: null, lastTransactionHash: 0n, lastTransactionLt: 0n });

/** The state of an account as the virtual machine takes it: a bag of cells in base64. */
export function shardAccountOf(address: string, state: TonAccountState): string {
  const { storage, lastTransaction } = state;
  // A node says of an account that does not exist that it is not initialised.
  if (!storage) return NO_ACCOUNT;
  const lt = BigInt(lastTransaction?.lt ?? 0);
  return write({
    account: {
      addr: Address.parseRaw(address),
      storage: {
        // The end of its last transaction, of which nodes tell only the beginning: it is a later one in any case.
        lastTransLt: lt === 0n ? 0n : lt + 1n,
        balance: { coins: state.balance, other: currenciesOf(state) },
        state: stateOf(state),
      },
      storageStats: {
        used: { cells: BigInt(storage.used.cells), bits: BigInt(storage.used.bits) },
        storageExtra: null,
        lastPaid: storage.lastPaid,
        duePayment: storage.duePayment,
      },
    },
    lastTransactionLt: lt,
    lastTransactionHash: lastTransaction
      ? BigInt(`0x${Buffer.from(lastTransaction.hash, 'base64').toString('hex')}`)
      : 0n,
  });
}

type AccountState = NonNullable<ShardAccount['account']>['storage']['state'];

function stateOf({ status, code, data, stateHash }: TonAccountState): AccountState {
  if (status === 'active') return { type: 'active', state: { code, data } };
  if (status === 'uninitialized') return { type: 'uninit' };
  return {
    type: 'frozen',
    stateHash: BigInt(`0x${Buffer.from(stateHash ?? '', 'base64').toString('hex') || '0'}`),
  };
}

function currenciesOf({ currencies }: TonAccountState): Dictionary<number, bigint> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of Object.entries(currencies)) dictionary.set(Number(id), BigInt(amount));
  return dictionary;
}

function write(account: ShardAccount): string {
  return beginCell().store(storeShardAccount(account)).endCell().toBoc().toString('base64');
}
