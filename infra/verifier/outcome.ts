import { BEGINNING, type Position } from '../../contracts/position';

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
  /** A file does not prove that the head of its checkpoint stood in its transaction. */
  bad_anchor: 8,
} as const;

export type Outcome = keyof typeof EXIT_CODES;

/** The rules in PROOFS.md, section 6: those of fees, of invoices, and of settlements. */
export type FeeRule = 'stream' | 'period' | 'revision' | 'transition' | 'members' | 'adjustment' | 'day';
export type InvoiceRule = 'stream' | 'revision' | 'transition' | 'members' | 'lines';
export type SettlementRule = 'stream' | 'revision' | 'transition' | 'members' | 'rebates';
export type LedgerRule = FeeRule | InvoiceRule | SettlementRule;

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
  readonly rule?: LedgerRule;
  readonly stream?: string;
}

/** An event that breaks a rule of `what`, such as `fees`. */
export function inconsistent(
  { type, position, stream }: { readonly type: string; readonly position: Position; readonly stream: string },
  rule: LedgerRule,
  what: string,
): VerificationFailed {
  return new VerificationFailed(
    'inconsistent',
    `the ${type} at position ${position}, in the stream ${stream}, breaks the rule \`${rule}\` of ${what}`,
    { position, stream, rule },
  );
}

/** An event whose data is not what its type has. */
export function formless({ type, position }: { readonly type: string; readonly position: Position }) {
  return new VerificationFailed(
    'unusable',
    `the ${type} at position ${position} has not the form of its type`,
  );
}

function describeRange([after, upTo]: NonNullable<Location['between']>): string {
  if (upTo === BEGINNING) return 'from the first one on';
  return after === BEGINNING
    ? `at or before position ${upTo}`
    : `after position ${after}, at or before ${upTo}`;
}

/** The location in words; no line when it is unknown. */
export function describeLocation({ position, between, line, rule }: Location): string[] {
  if (rule !== undefined) return [];
  const inLine = line === undefined ? '' : `line ${line} of the export`;
  if (position !== undefined)
    return [`the events first differ at position ${position}${inLine && `, ${inLine}`}`];
  if (between) return [`the events first differ ${describeRange(between)}`];
  return inLine ? [`the events first differ in ${inLine}`] : [];
}
