/**
 * A position in the global order of the event store. Positions grow, not necessarily by one
 * (embedded: a row number; EventStoreDB: the commit position). Reading "after" a position excludes it.
 */
export type Position = number;

/** Before the first event. */
export const BEGINNING: Position = -1;

/** The wire form used by `X-Ledger-Position` and `X-Min-Position`: a decimal string. */
export function formatPosition(position: Position): string {
  return String(position);
}

/** Parses the wire form; null when the text is not a position. */
export function parsePosition(text: string): Position | null {
  return /^(-1|0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
