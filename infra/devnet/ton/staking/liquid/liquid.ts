import { type Address, type Builder, type Cell, beginCell, contractAddress } from '@ton/core';
import { type Candidate, OP, candidateOf } from '../staking';
import { LIQUID_WALLET_CODE } from './code';

/** Operations of a liquid pool and its wallets beside those of `OP` and of TEP-74. */
export const LIQUID_OP = {
  collect: 0x4a10e022,
  startRound: 0x330e2299,
  addWithdrawal: 0x2334e467,
  takeWithdrawals: 0x9006210c,
  withdrawalsTaken: 0x9797f0fb,
} as const;

/** What is withdrawn can be collected so many rounds later. */
export const ROUNDS_TO_WAIT = 3;

export interface LiquidPoolInit {
  readonly owner: Address;
  readonly controller: Address;
  /** On the masterchain: of even rounds, and of odd ones. */
  readonly proxies: readonly [Address, Address];
  /** TEP-64, of the jetton. */
  readonly content: Cell;
  /** Jettons that exist, each worth a TON; default: none. */
  readonly supply?: bigint;
}

/** The data of a pool that has not staked yet; the layout is that of `liquid-storage.fc`. */
export function liquidPoolData({ owner, controller, proxies, content, supply = 0n }: LiquidPoolInit): Cell {
  const funds = beginCell().storeCoins(supply).storeCoins(0).storeCoins(0).storeCoins(0);
  const jetton = beginCell().storeCoins(supply).storeRef(content).storeRef(LIQUID_WALLET_CODE);
  const staking = beginCell()
    .storeUint(proxies.length, 8)
    .storeAddress(proxies[0])
    .storeAddress(proxies[1])
    .storeBit(false);
  return beginCell()
    .storeAddress(owner)
    .storeAddress(controller)
    .storeUint(0, 32 + 32)
    .storeCoins(0)
    .storeRef(funds)
    .storeRef(jetton)
    .storeRef(staking)
    .storeMaybeRef(null)
    .endCell();
}

export interface LiquidWalletInit {
  readonly pool: Address;
  readonly owner: Address;
}

/** The data of a wallet without withdrawals; the layout is that of `liquid.fc`. */
export function liquidWalletData({ pool, owner }: LiquidWalletInit, jettons = 0n): Cell {
  return beginCell()
    .storeCoins(jettons)
    .storeAddress(owner)
    .storeAddress(pool)
    .storeRef(LIQUID_WALLET_CODE)
    .storeBit(false)
    .endCell();
}

/** The wallet of an owner, deployed or not. */
export function liquidWalletAddress(of: LiquidWalletInit): Address {
  return contractAddress(0, { code: LIQUID_WALLET_CODE, data: liquidWalletData(of) });
}

const query = (op: number, queryId: bigint): Builder => beginCell().storeUint(op, 32).storeUint(queryId, 64);

interface Answered {
  /** Receives the coins that are left. */
  readonly response: Address | null;
  readonly queryId?: bigint;
}

export interface LiquidDeposit extends Answered {
  /** Nanotons. */
  readonly amount: bigint;
  /** Nanotons with which the wallet notifies its owner; default 0: it does not. */
  readonly forwardValue?: bigint;
}

export function liquidDepositBody({
  amount,
  response,
  forwardValue = 0n,
  queryId = 0n,
}: LiquidDeposit): Cell {
  return query(OP.deposit, queryId)
    .storeCoins(amount)
    .storeAddress(response)
    .storeCoins(forwardValue)
    .endCell();
}

export interface LiquidWithdrawal extends Answered {
  /** Smallest units of the jetton; 0 is all. */
  readonly jettons: bigint;
}

export function liquidWithdrawBody({ jettons, response, queryId = 0n }: LiquidWithdrawal): Cell {
  return query(OP.withdraw, queryId).storeCoins(jettons).storeAddress(response).endCell();
}

export function liquidCollectBody({ response, queryId = 0n }: Answered): Cell {
  return query(LIQUID_OP.collect, queryId).storeAddress(response).endCell();
}

const NO_GAS_LIMIT = 0n;

/** From the controller or the owner. @param queryId other than 0 */
const privileged = (op: number, queryId: bigint): Builder => query(op, queryId).storeCoins(NO_GAS_LIMIT);

/** @param electAt start of the round in Unix seconds, which is the id of its election */
export function startRoundBody(electAt: number, queryId = 1n): Cell {
  return privileged(LIQUID_OP.startRound, queryId).storeUint(electAt, 32).endCell();
}

/** @param stake nanotons */
export function liquidStakeSendBody(stake: bigint, of: Candidate, signature: Buffer, queryId = 1n): Cell {
  return privileged(OP.stakeSend, queryId)
    .storeCoins(stake)
    .storeBuilder(candidateOf(of, signature))
    .endCell();
}

export type ProxyIndex = 0 | 1;

export function finalizeStakeBody(proxy: ProxyIndex, queryId = 1n): Cell {
  return privileged(OP.finalizeLock, queryId).storeUint(proxy, 1).endCell();
}

export function recoverStakeBody(proxy: ProxyIndex, queryId = 1n): Cell {
  return privileged(OP.stakeRecover, queryId).storeUint(proxy, 1).endCell();
}

export interface LiquidParameters {
  readonly enabled: boolean;
  readonly upgradable: boolean;
  /** Nanotons, as all but the fee of the pool, which is in hundredths of a percent. */
  readonly minStake: bigint;
  readonly depositFee: bigint;
  readonly withdrawFee: bigint;
  readonly poolFee: bigint;
}

export function liquidUpdateBody(parameters: LiquidParameters, queryId = 1n): Cell {
  const { enabled, upgradable, minStake, depositFee, withdrawFee, poolFee } = parameters;
  const extras = beginCell().storeBit(enabled).storeBit(upgradable);
  for (const coins of [minStake, depositFee, withdrawFee, poolFee]) extras.storeCoins(coins);
  return privileged(OP.update, queryId).storeRef(extras).endCell();
}
