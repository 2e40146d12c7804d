import { type Cell, Dictionary, type DictionaryValue } from '@ton/core';
import { OWNER_KEY } from './staking';

/** What the controller of a pool has to know of it, from its data; amounts in nanotons. */
export interface PoolState {
  readonly locked: boolean;
  readonly balance: bigint;
  readonly sent: bigint;
  readonly pendingWithdraw: bigint;
  readonly pendingDeposits: bigint;
  /** Start of the round of its stake in Unix seconds. */
  readonly stakeAt: number;
  /** Unix seconds: from 300 seconds later on the stake can be recovered. */
  readonly until: number;
  readonly querySent: boolean;
  readonly lockFinal: boolean;
  /** Keys of the members whose deposit, or withdrawal, waits to be accepted. */
  pendingMembers(): { readonly deposits: readonly bigint[]; readonly withdraws: readonly bigint[] };
  /** Whether somebody beside the owner has a stake. */
  hasNominators(): boolean;
}

interface Member {
  readonly pendingWithdraw: bigint;
  readonly pendingDeposit: bigint;
}

const MEMBER: DictionaryValue<Member> = {
  serialize: () => {
    throw new Error('read only');
  },
  parse: slice => {
    slice.skip(128).loadCoins();
    const pendingWithdraw = slice.loadCoins();
    const pendingDeposit = slice.skip(1).loadCoins();
    return { pendingWithdraw, pendingDeposit };
  },
};

/** Reads what `pool-storage.fc` stores. */
export function readPool(data: Cell): PoolState {
  const slice = data.beginParse();
  const locked = slice.loadBit();
  for (let addresses = 0; addresses < 3; addresses++) slice.loadAddress();
  const funds = slice.loadRef().beginParse().skip(128);
  const [balance, sent] = [funds.loadCoins(), funds.loadCoins()];
  funds.loadCoins();
  const [pendingWithdraw, pendingDeposits] = [funds.loadCoins(), funds.loadCoins()];
  const dictionary = slice.loadMaybeRef();
  const stake = slice.loadRef().beginParse();
  const [stakeAt, until] = [stake.loadUint(32), stake.loadUint(32)];
  stake.loadCoins();
  const querySent = stake.loadUintBig(64) !== 0n;
  stake.skip(32).loadCoins();
  const lockFinal = stake.skip(32).loadBit();

  const members = (): readonly (readonly [bigint, Member])[] =>
    dictionary ? [...Dictionary.loadDirect(Dictionary.Keys.BigUint(256), MEMBER, dictionary)] : [];
  return {
    locked,
    balance,
    sent,
    pendingWithdraw,
    pendingDeposits,
    stakeAt,
    until,
    querySent,
    lockFinal,
    pendingMembers() {
      const all = members();
      const keys = (is: (member: Member) => bigint): bigint[] =>
        all.flatMap(([key, member]) => (is(member) > 0n ? [key] : []));
      return {
        deposits: keys(({ pendingDeposit }) => pendingDeposit),
        withdraws: keys(({ pendingWithdraw: asked }) => asked),
      };
    },
    hasNominators: () => members().some(([key]) => key !== OWNER_KEY),
  };
}
