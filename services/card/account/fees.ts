import type { CardEntry, CardFee } from '../../../contracts/events/card-account';
import type { Entries } from './transaction';

/** Whether all of a purchase was given back: nothing is earned with it. */
export function isGivenBack(entries: Entries): boolean {
  return entries.some(({ kind, final }) => final && (kind === 'refunded' || kind === 'charged_back'));
}

/** What the instance earns with a clearing; null where nothing. @param currency of the card */
export function feeOf(
  { id, interchange, fiat, gross = fiat, at }: CardEntry,
  currency: string,
): CardFee | null {
  if (interchange === null || interchange === '0') return null;
  return { entryId: id, amount: interchange, gross, currency, at };
}

/** What it has earned with a purchase. */
export function feesOf(entries: Entries, currency: string): CardFee[] {
  return entries.flatMap(entry => (entry.kind === 'cleared' ? (feeOf(entry, currency) ?? []) : []));
}
