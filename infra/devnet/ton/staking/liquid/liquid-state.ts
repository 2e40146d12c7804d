import { type Cell, Dictionary, type DictionaryValue } from '@ton/core';
import type { ProxyIndex } from './liquid';

/** The stake of one of the two proxies. */
export interface LiquidStake {
  /** Start of its round in Unix seconds. */
  readonly stakeAt: number;
  /** Unix seconds: from 300 seconds later on it can be recovered. */
  readonly until: number;
  /** Nanotons. */
  readonly sent: bigint;
  readonly querySent: boolean;
  readonly lockFinal: boolean;
}

/** What the controller of a liquid pool has to know of it; amounts in nanotons. */
export interface LiquidPoolState {
  /** Of the round that started last; 0 before the first one. */
  readonly lastElectionId: number;
  readonly roundId: number;
  readonly balance: bigint;
  readonly sent: bigint;
  /** All that is owed, set aside or not. */
  readonly owed: bigint;
  readonly supply: bigint;
  stakeOf(proxy: ProxyIndex): LiquidStake;
}

const NO_STAKE: LiquidStake = { stakeAt: 0, until: 0, sent: 0n, querySent: false, lockFinal: false };

const STAKE: DictionaryValue<LiquidStake> = {
  serialize: () => {
    throw new Error('read only');
  },
  parse: slice => {
    const [stakeAt, until] = [slice.loadUint(32), slice.loadUint(32)];
    const sent = slice.loadCoins();
    const querySent = slice.loadUintBig(64) !== 0n;
    slice.skip(32).loadCoins();
    return { stakeAt, until, sent, querySent, lockFinal: slice.skip(32).loadBit() };
  },
};

/** Reads what `liquid-storage.fc` stores. */
export function readLiquidPool(data: Cell): LiquidPoolState {
  const slice = data.beginParse();
  slice.loadAddress();
  slice.loadAddress();
  const [lastElectionId, roundId] = [slice.loadUint(32), slice.loadUint(32)];
  const funds = slice.loadRef().beginParse();
  const [balance, sent] = [funds.loadCoins(), funds.loadCoins()];
  const owed = funds.loadCoins() + funds.loadCoins();
  const supply = slice.loadRef().beginParse().loadCoins();
  const staking = slice.loadRef().beginParse().skip(8);
  staking.loadAddress();
  staking.loadAddress();
  const stakes = staking.loadDict(Dictionary.Keys.Uint(1), STAKE);
  return {
    lastElectionId,
    roundId,
    balance,
    sent,
    owed,
    supply,
    stakeOf: proxy => stakes.get(proxy) ?? NO_STAKE,
  };
}
