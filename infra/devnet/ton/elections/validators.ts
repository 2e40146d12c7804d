import { createHash } from 'node:crypto';
import { type Builder, type Cell, Dictionary, type DictionaryValue, beginCell, toNano } from '@ton/core';
import { ed25519Key } from '../../ed25519';
import { ROUND } from './schedule';

/** A validator of the local network. It exists in the elector and in the configuration only. */
export interface Validator {
  readonly publicKey: Buffer;
  /** Hash of its wallet on the masterchain. */
  readonly address: Buffer;
  readonly adnl: Buffer;
  /** Nanotons. */
  readonly stake: bigint;
  /** Its share of the set, of 2^60. */
  readonly weight: bigint;
}

export interface ValidatorSet {
  readonly validators: readonly Validator[];
  readonly totalStake: bigint;
}

const SIZE = 9;
const WEIGHTS = 1n << 60n;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function validatorSet(name: string): ValidatorSet {
  const members = Array.from({ length: SIZE }, (_, i) => {
    const seed = `tidemark local validator ${name}${i}`;
    return {
      publicKey: ed25519Key(sha256(seed)).publicKey,
      address: sha256(`${seed} wallet`),
      adnl: sha256(`${seed} adnl`),
      stake: toNano(9_900_000 - 150_000 * i),
    };
  });
  const totalStake = members.reduce((sum, { stake }) => sum + stake, 0n);
  return {
    totalStake,
    validators: members.map(member => ({ ...member, weight: (member.stake * WEIGHTS) / totalStake })),
  };
}

const SETS = [validatorSet('a'), validatorSet('b')] as const;

/** Two sets take turns, since the stake of one is held while the other validates. */
export function validatorsOf(round: number): ValidatorSet {
  return SETS[round & 1]!;
}

const SIGNING_KEY = 0x8e81278a;
const VALIDATOR_ADDR = 0x73;
const VALIDATORS_EXT = 0x12;

/** Values of a dictionary that are written without a cell of their own. */
export const INLINE: DictionaryValue<Builder> = {
  serialize: (value, builder) => void builder.storeBuilder(value),
  parse: () => {
    throw new Error('written only');
  },
};

/** A dictionary by the public keys of the validators. */
export function byPublicKey(
  { validators }: ValidatorSet,
  value: (validator: Validator) => Builder,
): Dictionary<Buffer, Builder> {
  const entries = Dictionary.empty(Dictionary.Keys.Buffer(32), INLINE);
  for (const validator of validators) entries.set(validator.publicKey, value(validator));
  return entries;
}

/**
 * `validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) total_weight:uint64
 * list:(HashmapE 16 ValidatorDescr)` of `block.tlb`.
 * @param since Unix seconds
 */
export function validatorSetCell({ validators }: ValidatorSet, since: number): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), INLINE);
  validators.forEach(({ publicKey, weight, adnl }, i) =>
    list.set(
      i,
      beginCell()
        .storeUint(VALIDATOR_ADDR, 8)
        .storeUint(SIGNING_KEY, 32)
        .storeBuffer(publicKey)
        .storeUint(weight, 64)
        .storeBuffer(adnl),
    ),
  );
  return beginCell()
    .storeUint(VALIDATORS_EXT, 8)
    .storeUint(since, 32)
    .storeUint(since + ROUND.electedFor, 32)
    .storeUint(validators.length, 16)
    .storeUint(validators.length, 16)
    .storeUint(
      validators.reduce((sum, { weight }) => sum + weight, 0n),
      64,
    )
    .storeDict(list)
    .endCell();
}
