import { type AccountState, Cell, type ShardAccount, loadShardAccount } from '@ton/core';

/** Null for an account that never existed or was deleted. */
export function readShardAccount(boc: Buffer | null): ShardAccount | null {
  return boc && loadShardAccount(Cell.fromBoc(boc)[0]!.beginParse());
}

const hex64 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const bag = (cell: Cell | null | undefined): string | null => cell?.toBoc().toString('base64') ?? null;
const hashOf = (cell: Cell | null | undefined): string => (cell ?? Cell.EMPTY).hash().toString('base64');

const withoutCode = (state: AccountState | undefined): object =>
  state?.type === 'frozen'
    ? { type: 'frozen', stateHash: hex64(state.stateHash).toString('base64') }
    : { type: 'uninit' };

const full = (state: AccountState | undefined): object =>
  state?.type === 'active'
    ? { type: 'active', code: bag(state.state.code), data: bag(state.state.data) }
    : withoutCode(state);

const lite = (state: AccountState | undefined): object =>
  state?.type === 'active'
    ? { type: 'active', codeHash: hashOf(state.state.code), dataHash: hashOf(state.state.data) }
    : withoutCode(state);

/** Extra currencies as strings, as the client's schema requires (the open-source server sends numbers). */
const currencies = (account: ShardAccount['account'] | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(account?.storage.balance.other ?? [])].map(([id, amount]) => [id, amount.toString()]),
  );

const last = (account: ShardAccount | null): object | null =>
  account && account.lastTransactionLt > 0n
    ? {
        lt: account.lastTransactionLt.toString(),
        hash: hex64(account.lastTransactionHash).toString('base64'),
      }
    : null;

function storageStat(account: ShardAccount['account'] | undefined): object | null {
  if (!account) return null;
  const { used, lastPaid, duePayment } = account.storageStats;
  return {
    lastPaid,
    duePayment: duePayment?.toString() ?? null,
    used: { bits: Number(used.bits), cells: Number(used.cells), publicCells: 0 },
  };
}

/** The `account` of an answer; `detail`: code and data, or only their hashes. */
export function accountJson(account: ShardAccount | null, detail: 'full' | 'lite'): object {
  return {
    state: (detail === 'full' ? full : lite)(account?.account?.storage.state),
    balance: {
      coins: (account?.account?.storage.balance.coins ?? 0n).toString(),
      currencies: currencies(account?.account),
    },
    last: last(account),
    storageStat: storageStat(account?.account),
  };
}
