import { beginCell, Dictionary, type Address, type TupleReader } from '@ton/core';
import type { TonClient4 } from '@ton/ton';

/** Nanotons, decimal, as the API has them. */
export interface Stake {
  readonly balance: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
  readonly withdraw: string;
}

const slice = (address: Address) =>
  ({ type: 'slice', cell: beginCell().storeAddress(address).endCell() }) as const;

type Args = NonNullable<Parameters<TonClient4['runMethod']>[3]>;

/** What a get-method answers as of a block. @throws when it fails */
async function ask(
  client: TonClient4,
  seqno: number,
  contract: Address,
  name: string,
  args: Args = [],
): Promise<TupleReader> {
  const { exitCode, reader } = await client.runMethod(seqno, contract, name, args);
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`${name} ended with ${exitCode}`);
  return reader;
}

/** What a nominator pool says of a member. */
export async function stakeAt(
  client: TonClient4,
  seqno: number,
  pool: Address,
  member: Address,
): Promise<Stake> {
  const reader = await ask(client, seqno, pool, 'get_member', [slice(member)]);
  return {
    balance: String(reader.readBigNumber()),
    pendingDeposit: String(reader.readBigNumber()),
    pendingWithdraw: String(reader.readBigNumber()),
    withdraw: String(reader.readBigNumber()),
  };
}

/** Nanotons that a nominator pool has at stake. */
export async function stakedBy(client: TonClient4, pool: Address): Promise<bigint> {
  const { last } = await client.getLastBlock();
  const reader = await ask(client, last.seqno, pool, 'get_pool_status');
  reader.skip(1);
  return reader.readBigNumber();
}

/** What a wallet of wsTON says. */
export interface LiquidStake {
  /** Billionths of a wsTON. */
  readonly balance: string;
  readonly owner: Address;
  readonly master: Address;
  /** Nanotons by round. */
  readonly pendingWithdrawals: Readonly<Record<string, string>>;
}

/** Of an account that has a wallet. */
export async function liquidStakeOf(
  client: TonClient4,
  pool: Address,
  member: Address,
): Promise<LiquidStake> {
  const { last } = await client.getLastBlock();
  const of = await ask(client, last.seqno, pool, 'get_wallet_address', [slice(member)]);
  const wallet = of.readAddress();
  const data = await ask(client, last.seqno, wallet, 'get_wallet_data');
  const pending = (await ask(client, last.seqno, wallet, 'get_pending_withdrawals')).readCellOpt();
  const entries = pending
    ? pending.beginParse().loadDictDirect(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(4))
    : [];
  return {
    balance: String(data.readBigNumber()),
    owner: data.readAddress(),
    master: data.readAddress(),
    pendingWithdrawals: Object.fromEntries(
      [...entries].map(([round, coins]) => [String(round), String(coins)]),
    ),
  };
}

const LIQUID_STATUS = [
  'rateDeposit',
  'rateWithdraw',
  'roundId',
  'enabled',
  'upgradable',
  'minStake',
  'depositFee',
  'withdrawFee',
  'receiptPrice',
  'poolFee',
  'minterSupply',
  'totalBalance',
  'totalSent',
  'totalPendingWithdraw',
  'totalBalanceWithdraw',
] as const;
export type LiquidStatus = Readonly<Record<(typeof LIQUID_STATUS)[number], bigint>>;

/** What the liquid pool says of itself as of a block. */
export async function liquidStatusAt(
  client: TonClient4,
  seqno: number,
  pool: Address,
): Promise<LiquidStatus> {
  const reader = await ask(client, seqno, pool, 'get_pool_status');
  return Object.fromEntries(
    LIQUID_STATUS.map(name => [name, reader.readBigNumber()]),
  ) as unknown as LiquidStatus;
}

/** Of an account's wallet of tsUSDe: the units of USDe that it has locked, and until when (Unix seconds). */
export async function timelockOf(
  client: TonClient4,
  wallet: Address,
): Promise<{ readonly locked: bigint; readonly unlockAt: number }> {
  const { last } = await client.getLastBlock();
  const reader = await ask(client, last.seqno, wallet, 'get_timelock_data');
  return { locked: reader.readBigNumber(), unlockAt: reader.readNumber() };
}

/** Units of USDe that 10^9 units of tsUSDe are worth. @param seqno default: the newest block */
export async function sharePrice(client: TonClient4, vault: Address, seqno?: number): Promise<bigint> {
  const at = seqno ?? (await client.getLastBlock()).last.seqno;
  const args: Args = [{ type: 'int', value: 1_000_000_000n }];
  return (await ask(client, at, vault, 'convertToAssets', args)).readBigNumber();
}
