import { Dictionary, type Cell, type DictionaryValue } from '@ton/core';
import { POOL_PRECISION } from '../../contracts/chain/ton-staking';

/** What a nominator pool stores, of what its yield and the profits of its members follow from. */
export interface StoredPool {
  readonly profitPerCoin: bigint;
  /** Nanotons of all members. */
  readonly balance: bigint;
  /** Nanotons of the owner, with its profits. */
  readonly ownStake: bigint;
  /** Start of the round of its stake in Unix seconds; 0 without a stake. */
  readonly stakeAt: number;
  /** Nanotons that the elector has. */
  readonly sent: bigint;
  /** Seconds for which the elector holds the stake after the round. */
  readonly heldFor: number;
  /** Hundredths of a percent. */
  readonly poolFee: number;
}

const OWNER_KEY = 0n;
const DEFAULT_FEE = 1_000;

interface StoredMember {
  readonly since: bigint;
  readonly balance: bigint;
  readonly pendingWithdraw: bigint;
  /** It withdraws all, and the profits that follow too. */
  readonly withdrawsAll: boolean;
}

const MEMBER: DictionaryValue<StoredMember> = {
  serialize: () => {
    throw new Error('is only read');
  },
  parse: slice => ({
    since: slice.loadIntBig(128),
    balance: slice.loadCoins(),
    pendingWithdraw: slice.loadCoins(),
    withdrawsAll: slice.loadBit(),
  }),
};

/**
 * Reads the data of the pool contract (tonwhales/ton-nominators): `locked:int1 owner controller proxy ^funds members:dict ^stake
 * (Maybe ^extras)`.
 * @throws Error for data of another layout
 */
export function readStoredPool(data: Cell): StoredPool {
  const slice = data.beginParse();
  slice.skip(1);
  for (let addresses = 0; addresses < 3; addresses++) slice.loadAddress();
  const funds = slice.loadRef().beginParse();
  const profitPerCoin = funds.loadIntBig(128);
  const [balance, sent] = [funds.loadCoins(), funds.loadCoins()];
  const members = slice.loadDict(Dictionary.Keys.BigUint(256), MEMBER);
  const stake = slice.loadRef().beginParse();
  const stakeAt = stake.loadUint(32);
  stake.skip(32).loadCoins();
  stake.skip(64 + 32).loadCoins();
  const heldFor = stake.loadUint(32);
  const extras = slice.loadMaybeRef()?.beginParse();
  let poolFee = DEFAULT_FEE;
  if (extras) {
    extras.skip(1 + 1);
    for (let others = 0; others < 3; others++) extras.loadCoins();
    poolFee = Number(extras.loadCoins());
  }
  return {
    profitPerCoin,
    balance,
    sent,
    stakeAt,
    heldFor,
    poolFee,
    ownStake: balanceOf(members.get(OWNER_KEY), profitPerCoin),
  };
}

/** A member with a stake, and whether it has asked for some of it, which is not ready yet. Raw address. */
export interface StakedMember {
  readonly member: string;
  readonly withdraws: boolean;
}

/** The members of a pool who have a stake, by its data. @throws Error for data of another layout */
export function poolMembers(data: Cell): StakedMember[] {
  const slice = data.beginParse();
  slice.skip(1);
  const owner = slice.loadAddress();
  for (let others = 0; others < 2; others++) slice.loadAddress();
  slice.loadRef();
  const members = slice.loadDict(Dictionary.Keys.BigUint(256), MEMBER);
  return [...members]
    .filter(([, { balance }]) => balance > 0n)
    .map(([key, { pendingWithdraw, withdrawsAll }]) => ({
      member: key === OWNER_KEY ? owner.toRawString() : `0:${key.toString(16).padStart(64, '0')}`,
      withdraws: withdrawsAll || pendingWithdraw > 0n,
    }));
}

/** What a member has after the profits since it was stored, rounded down as the pool does. */
function balanceOf(member: StoredMember | undefined, profitPerCoin: bigint): bigint {
  if (!member) return 0n;
  return ((POOL_PRECISION + profitPerCoin) * member.balance) / (POOL_PRECISION + member.since);
}
