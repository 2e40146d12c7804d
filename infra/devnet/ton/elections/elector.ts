import { type Builder, type Cell, Dictionary, beginCell, toNano } from '@ton/core';
import { ELECTOR_CODE } from './code';
import { type ElectionSchedule, ROUND } from './schedule';
import { INLINE, type ValidatorSet, byPublicKey, validatorSetCell, validatorsOf } from './validators';

/** The elector of every network, on the masterchain. */
export const ELECTOR_ADDRESS = `-1:${'3'.repeat(64)}`;

/** Nanotons: the stakes of seven rounds with their rewards, and some for its work. */
export const ELECTOR_BALANCE = toNano(700_000_000);

const MIN_STAKE = toNano(300_000);
const MAX_FACTOR = 3 << 16;
/** Past elections of a new network, that of the present round included: as many as the elector lists. */
const PAST_ELECTIONS = 5;

type StartOf = ElectionSchedule['startOf'];

/** From 140 to 160 millionths of the stake, as `elector.fc` computes it. */
const reward = (stake: bigint, id: number): bigint => (stake * BigInt(140 + (id % 21))) / 1_000_000n;

const membersOf = (set: ValidatorSet, time: number): Dictionary<Buffer, Builder> =>
  byPublicKey(set, ({ stake, address, adnl }) =>
    beginCell()
      .storeCoins(stake)
      .storeUint(time, 32)
      .storeUint(MAX_FACTOR, 32)
      .storeBuffer(address)
      .storeBuffer(adnl),
  );

const frozenOf = (set: ValidatorSet): Dictionary<Buffer, Builder> =>
  byPublicKey(set, ({ stake, address, weight }) =>
    beginCell().storeBuffer(address).storeUint(weight, 64).storeCoins(stake).storeBit(false),
  );

const setCell = (set: ValidatorSet, time: number): Cell =>
  beginCell().storeDict(membersOf(set, time)).storeDict(frozenOf(set)).storeCoins(set.totalStake).endCell();

/** Elections up to that of the present round, which has not earned anything yet. */
function pastElections(startOf: StartOf): Dictionary<number, Builder> {
  const past = Dictionary.empty(Dictionary.Keys.Uint(32), INLINE);
  for (let round = 1 - PAST_ELECTIONS; round <= 0; round++) {
    const [set, id] = [validatorsOf(round), startOf(round)];
    past.set(
      id,
      beginCell()
        .storeUint(startOf(round + 1) + ROUND.heldFor, 32)
        .storeUint(ROUND.heldFor, 32)
        .storeBuffer(validatorSetCell(set, id).hash())
        .storeDict(frozenOf(set))
        .storeCoins(set.totalStake)
        .storeCoins(round < 0 ? reward(set.totalStake, id) : 0n)
        .storeBit(false)
        // A network starts when the stakes of the round before are given back.
        .storeBit(round < 0),
    );
  }
  return past;
}

/** The stakes of the round before, with their rewards, which nobody has recovered. */
function credits(startOf: StartOf): Dictionary<Buffer, Builder> {
  const { validators, totalStake } = validatorsOf(-1);
  const bonuses = reward(totalStake, startOf(-1));
  const entries = Dictionary.empty(Dictionary.Keys.Buffer(32), INLINE);
  for (const { address, stake } of validators)
    entries.set(address, beginCell().storeCoins(stake + (bonuses * stake) / totalStake));
  return entries;
}

/**
 * The elector of a new network, with an election that is open. The layout of the data is that of `elector.fc`.
 * @param zeroTime Unix seconds of the zero state
 */
export function newElector(
  { startOf }: ElectionSchedule,
  zeroTime: number,
): { readonly code: Cell; readonly data: Cell } {
  const [even, odd] = [validatorsOf(0), validatorsOf(1)];
  const election = beginCell()
    .storeUint(startOf(1), 32)
    .storeUint(startOf(1) - ROUND.endBefore, 32)
    .storeCoins(MIN_STAKE)
    .storeCoins(odd.totalStake)
    .storeDict(membersOf(odd, zeroTime))
    .storeBit(false)
    .storeBit(false)
    .endCell();
  const sets = beginCell()
    .storeUint(startOf(0), 32)
    .storeRef(setCell(even, zeroTime))
    .storeRef(setCell(odd, zeroTime))
    .endCell();
  const data = beginCell()
    .storeMaybeRef(election)
    .storeDict(credits(startOf))
    .storeDict(pastElections(startOf))
    .storeCoins(0)
    .storeUint(startOf(0), 32)
    .storeBuffer(validatorSetCell(even, startOf(0)).hash())
    .storeRef(sets)
    .endCell();
  return { code: ELECTOR_CODE, data };
}

/** An election that the elector has not closed yet. */
export interface OpenElection {
  /** Unix seconds, as the next one: the start of the round, which is the id of the election. */
  readonly electAt: number;
  readonly closesAt: number;
  /** Nanotons. */
  readonly minStake: bigint;
  readonly totalStake: bigint;
}

export interface ElectorState {
  readonly election: OpenElection | null;
  /** Whether somebody on the masterchain has a stake to recover. */
  hasCredit(account: Buffer): boolean;
}

/** Reads the data of `elector.fc`. */
export function readElector(data: Cell): ElectorState {
  const slice = data.beginParse();
  const election = slice.loadMaybeRef()?.beginParse();
  const credited = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.BigVarUint(4));
  return {
    election: election
      ? {
          electAt: election.loadUint(32),
          closesAt: election.loadUint(32),
          minStake: election.loadCoins(),
          totalStake: election.loadCoins(),
        }
      : null,
    hasCredit: account => credited.has(account),
  };
}
