import type { Instruction } from './instructions';

/** Lamports that an instruction says it moves; `amount` is null when it is everything that `from` has. */
export interface LamportMovement {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint | null;
}

/** Tokens that an instruction says it moves, in the smallest unit. Accounts are token accounts. */
export interface TokenMovement {
  readonly amount: bigint;
  /** Absent when tokens come into being: minted, or from a confidential balance. */
  readonly source?: string | undefined;
  readonly destination?: string | undefined;
  readonly authority?: string | undefined;
  /** Plain transfers do not name it: it is that of the token accounts. */
  readonly mint?: string | undefined;
  readonly decimals?: number | undefined;
  /** The part of `amount` that Token-2022 withholds, if the instruction names it. */
  readonly fee?: bigint;
}

type EffectKind =
  | 'transfer-lamports'
  | 'create-account'
  | 'close-account'
  | 'transfer-tokens'
  | 'mint'
  | 'burn'
  | 'initialize-token-account'
  | 'wrap'
  | 'unwrap'
  | 'withdraw-withheld-fees'
  | 'confidential-deposit'
  | 'confidential-withdrawal'
  | 'confidential-transfer'
  | 'initialize-stake'
  | 'delegate-stake'
  | 'deactivate-stake'
  | 'withdraw-stake'
  | 'split-stake'
  | 'merge-stake'
  | 'move-stake'
  | 'withdraw-vote';

/**
 * What one instruction of a known program does. It explains a change of balances and names its kind; how much changed is
 * what the node's balances say.
 */
export interface Effect {
  readonly kind: EffectKind;
  /** The account that it is about, where no movement names it. */
  readonly account?: string | undefined;
  readonly lamports?: LamportMovement;
  readonly tokens?: TokenMovement;
  /** Mint and owner of the token account that is created. */
  readonly tokenAccount?: { readonly mint: string; readonly owner: string };
}

/** Reads the effects of an instruction; `bytes` is its data. */
export type ReadEffects = (instruction: Instruction, bytes: Buffer) => readonly Effect[];

export const NOTHING: readonly Effect[] = [];

/** The movement of lamports if both accounts are there, as hostile data may lack them. */
export function movesLamports(
  kind: EffectKind,
  from: string | undefined,
  to: string | undefined,
  amount: bigint | null,
): readonly Effect[] {
  return from === undefined || to === undefined ? NOTHING : [{ kind, lamports: { from, to, amount } }];
}
