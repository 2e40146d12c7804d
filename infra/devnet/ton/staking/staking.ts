import { type Address, type Builder, type Cell, Dictionary, beginCell, contractAddress } from '@ton/core';
import { INLINE } from '../elections/validators';
import { PROXY_CODE } from './code';

/** Operations of a pool, and of the elector through its proxy. */
export const OP = {
  deposit: 0x7bcd1fef,
  depositResponse: 0xc641e932,
  withdraw: 0xda803efd,
  withdrawDelayed: 0x74bb3427,
  withdrawResponse: 0x23d421e1,
  donate: 0x47bbe425,
  upgrade: 0xdbfaf817,
  upgradeResponse: 0x532e4077,
  update: 0x023cd52c,
  updateResponse: 0x3211546a,
  changeAddress: 0x90eafae1,
  stakeSend: 0xa2065f2c,
  acceptStakes: 0x99a811fb,
  acceptWithdraws: 0xa19fd934,
  stakeRecover: 0x654d518e,
  finalizeLock: 0x1596920c,
  withdrawUnowned: 0x251d6a98,
  withdrawUnownedResponse: 0x1d1715bf,
  forceKick: 0x533ecf5c,
  forceKickResponse: 0x7ad0b942,
  newStake: 0x4e73744b,
  stakeAccepted: 0xf374484c,
  stakeReturned: 0xee6f454c,
  recoverStake: 0x47657424,
  stakeRecovered: 0xf96f7324,
  nothingToRecover: 0xfffffffe,
} as const;

/** The key of the owner among the members of a pool. */
export const OWNER_KEY = 0n;

export interface PoolAddresses {
  readonly owner: Address;
  readonly controller: Address;
  readonly proxy: Address;
}

export interface PoolParameters {
  readonly enabled: boolean;
  readonly updatesEnabled: boolean;
  /** Nanotons, as all but the fee of the pool, which is in hundredths of a percent. */
  readonly minStake: bigint;
  readonly depositFee: bigint;
  readonly withdrawFee: bigint;
  readonly poolFee: bigint;
  readonly receiptPrice: bigint;
}

/** Of a member, in nanotons. */
export interface MemberFunds {
  readonly balance: bigint;
  readonly pendingDeposit: bigint;
  readonly pendingWithdraw: bigint;
  readonly withdraw: bigint;
}

/** A stake of members as `pool-members.fc` stores it. */
const memberOf = (balance: bigint): Builder =>
  beginCell().storeInt(0, 128).storeCoins(balance).storeCoins(0).storeBit(false).storeCoins(0).storeCoins(0);

/**
 * The data of a pool whose only member is its owner; the layout is that of `pool-storage.fc`.
 * @param ownStake nanotons of the owner; the pool has to have them, and one more TON for its storage
 */
export function poolData({ owner, controller, proxy }: PoolAddresses, ownStake = 0n): Cell {
  const members = Dictionary.empty(Dictionary.Keys.BigUint(256), INLINE);
  if (ownStake > 0n) members.set(OWNER_KEY, memberOf(ownStake));
  const funds = beginCell().storeInt(0, 128).storeCoins(ownStake);
  for (let others = 0; others < 4; others++) funds.storeCoins(0);
  const stake = beginCell()
    .storeUint(0, 32 + 32)
    .storeCoins(0)
    .storeUint(0, 64 + 32)
    .storeCoins(0)
    .storeUint(0, 32)
    .storeBit(false);
  return beginCell()
    .storeBit(false)
    .storeAddress(owner)
    .storeAddress(controller)
    .storeAddress(proxy)
    .storeRef(funds)
    .storeDict(members)
    .storeRef(stake)
    .storeMaybeRef(null)
    .endCell();
}

/** The proxy of a pool on the masterchain. */
export function masterchainProxy(pool: Address): {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
} {
  const init = { code: PROXY_CODE, data: beginCell().storeAddress(pool).endCell() };
  return { address: contractAddress(-1, init), init };
}

/** What wallets send: the gas that a pool may use for a message. */
const GAS_LIMIT = 100_000n;

/** @param queryId other than 0 */
const request = (op: number, queryId: bigint, gasLimit = GAS_LIMIT): Builder =>
  beginCell().storeUint(op, 32).storeUint(queryId, 64).storeCoins(gasLimit);

export function depositBody(queryId = 1n): Cell {
  return request(OP.deposit, queryId).endCell();
}

/** @param amount nanotons; 0 is all */
export function withdrawBody(amount: bigint, queryId = 1n): Cell {
  return request(OP.withdraw, queryId).storeCoins(amount).endCell();
}

export function donationBody(queryId = 1n): Cell {
  return request(OP.donate, queryId).endCell();
}

/** No limit of gas: these are for the controller, who pays for what they cost. */
const NO_GAS_LIMIT = 0n;

function acceptBody(op: number, members: readonly bigint[], queryId: bigint): Cell {
  const accepted = Dictionary.empty(Dictionary.Keys.BigUint(256), INLINE);
  for (const member of members) accepted.set(member, beginCell());
  return request(op, queryId, NO_GAS_LIMIT).storeDict(accepted).endCell();
}

/** @param members hashes of their accounts; 0 is the owner */
export function acceptStakesBody(members: readonly bigint[], queryId = 1n): Cell {
  return acceptBody(OP.acceptStakes, members, queryId);
}

/** @param members hashes of their accounts; 0 is the owner */
export function acceptWithdrawsBody(members: readonly bigint[], queryId = 1n): Cell {
  return acceptBody(OP.acceptWithdraws, members, queryId);
}

/** What a validator says of itself to the elector. */
export interface Candidate {
  readonly publicKey: Buffer;
  /** Start of the round in Unix seconds, which is the id of its election. */
  readonly stakeAt: number;
  /** Of the smallest stake, in 65,536ths. */
  readonly maxFactor: number;
  readonly adnl: Buffer;
}

const SIGNED_STAKE = 0x654c5074;

/**
 * What the key of a candidate signs.
 * @param sender of the stake, on the masterchain
 */
export function signedStake({ stakeAt, maxFactor, adnl }: Candidate, sender: Address): Buffer {
  return beginCell()
    .storeUint(SIGNED_STAKE, 32)
    .storeUint(stakeAt, 32)
    .storeUint(maxFactor, 32)
    .storeBuffer(sender.hash)
    .storeBuffer(adnl)
    .endCell()
    .beginParse()
    .loadBuffer((3 * 32 + 2 * 256) / 8);
}

/** A candidate as messages of a stake have it. */
export function candidateOf(of: Candidate, signature: Buffer): Builder {
  const { publicKey, stakeAt, maxFactor, adnl } = of;
  return beginCell()
    .storeBuffer(publicKey)
    .storeUint(stakeAt, 32)
    .storeUint(maxFactor, 32)
    .storeBuffer(adnl)
    .storeRef(beginCell().storeBuffer(signature));
}

/** A message to the elector. */
export function newStakeBody(of: Candidate, signature: Buffer, queryId = 1n): Cell {
  return beginCell()
    .storeUint(OP.newStake, 32)
    .storeUint(queryId, 64)
    .storeBuilder(candidateOf(of, signature))
    .endCell();
}

/** @param stake nanotons */
export function stakeSendBody(stake: bigint, of: Candidate, signature: Buffer, queryId = 1n): Cell {
  return request(OP.stakeSend, queryId, NO_GAS_LIMIT)
    .storeCoins(stake)
    .storeBuilder(candidateOf(of, signature))
    .endCell();
}

export function stakeRecoverBody(queryId = 1n): Cell {
  return request(OP.stakeRecover, queryId, NO_GAS_LIMIT).endCell();
}

export function finalizeLockBody(queryId = 1n): Cell {
  return request(OP.finalizeLock, queryId, NO_GAS_LIMIT).endCell();
}

export function withdrawUnownedBody(queryId = 1n): Cell {
  return request(OP.withdrawUnowned, queryId, NO_GAS_LIMIT).endCell();
}

export function forceKickBody(account: Address, queryId = 1n): Cell {
  return request(OP.forceKick, queryId, NO_GAS_LIMIT).storeBuffer(account.hash).endCell();
}

export function upgradeBody(code: Cell, queryId = 1n): Cell {
  return request(OP.upgrade, queryId, NO_GAS_LIMIT).storeRef(code).endCell();
}

export function changeAddressBody(owner: Address, controller: Address, queryId = 1n): Cell {
  return request(OP.changeAddress, queryId, NO_GAS_LIMIT)
    .storeAddress(owner)
    .storeAddress(controller)
    .endCell();
}

export function updateBody(parameters: PoolParameters, queryId = 1n): Cell {
  const extras = beginCell().storeBit(parameters.enabled).storeBit(parameters.updatesEnabled);
  const { minStake, depositFee, withdrawFee, poolFee, receiptPrice } = parameters;
  for (const coins of [minStake, depositFee, withdrawFee, poolFee, receiptPrice]) extras.storeCoins(coins);
  return request(OP.update, queryId, NO_GAS_LIMIT).storeRef(extras).endCell();
}
