import type { Position } from '../../contracts/position';

/** The outcomes of a verification, with the exit code of the program. */
export const EXIT_CODES = {
  verified: 0,
  /** The events are not the signed ones. */
  altered: 2,
  /** A signature is invalid, or made with an unknown key. */
  bad_signature: 3,
  /** The events are the signed ones, but yield another answer. */
  wrong_answer: 4,
  /** The events end before a signed tree head. */
  truncated: 5,
  /** The input cannot be read. */
  unusable: 6,
  /** The events are the signed ones, and break a rule of the ledger. */
  inconsistent: 7,
} as const;

export type Outcome = keyof typeof EXIT_CODES;

/** The rules of fees in PROOFS.md, section 6. */
export type FeeRule = 'stream' | 'period' | 'revision' | 'transition' | 'members' | 'adjustment';

/** Why a verification failed. The events before the location match everything that was signed. */
export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed';
  constructor(
    readonly outcome: Exclude<Outcome, 'verified'>,
    message: string,
    readonly location: Location = {},
  ) {
    super(message);
  }
}

/** Where the events first differ, at a position or in a range of positions; or of which event a rule is broken. */
export interface Location {
  readonly position?: Position;
  readonly between?: readonly [after: Position, upTo: Position];
  /** Of the file, from 1. */
  readonly line?: number;
  /** The rule that the event at the position breaks, and its stream. */
  readonly rule?: FeeRule;
  readonly stream?: string;
}

/** The location in words; no line when it is unknown. */
export function describeLocation({ position, between, line, rule }: Location): string[] {
  if (rule !== undefined) return [];
  const inLine = line === undefined ? '' : `line ${line} of the export`;
  if (position !== undefined)
    return [`the events first differ at position ${position}${inLine && `, ${inLine}`}`];
  if (between) return [`the events first differ after position ${between[0]}, at or before ${between[1]}`];
  return inLine ? [`the events first differ in ${inLine}`] : [];
}
