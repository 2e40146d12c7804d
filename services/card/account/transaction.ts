import type { CardEntry } from '../../../contracts/events/card-account';
import { convert, type CardRate } from './conversion';

/**
 * What the messages of one transaction come to. They arrive in any order and each of them more than once, so that a transaction is a
 * set of entries, and everything here depends on which these are, never on which came first.
 */
export type Entries = readonly CardEntry[];

export function isKnown(entries: Entries, entryId: string): boolean {
  return entries.some(({ id }) => id === entryId);
}

/** In units of the account: `max(0, authorised + increments - reversals - cleared)`, at the rate of the authorisation. */
export function holdOf(entries: Entries): bigint {
  const held = heldOf(entries);
  return held ? convert(held.fiat, held.rate).units : 0n;
}

/** The same in the smallest unit of the card's currency, with its rate; null for nothing. */
export function heldOf(entries: Entries): { readonly fiat: bigint; readonly rate: CardRate } | null {
  const [fiat, rate] = [sumOf(entries), rateOf(entries)];
  return isEnded(entries) || fiat === 0n || rate === null ? null : { fiat, rate };
}

/** What is held and what was cleared, in the smallest unit of the card's currency. */
export function chargedOf(entries: Entries): bigint {
  const cleared = entries.filter(({ kind }) => kind === 'cleared');
  return cleared.reduce((sum, { gross, fiat }) => sum + BigInt(gross ?? fiat), heldOf(entries)?.fiat ?? 0n);
}

/** Networks of cards hold for a month at most. */
const MAX_HOLD_MS = 31 * 86_400_000;

/** Whether something is held that nobody has asked for any more of for long. @param now RFC 3339 UTC instant */
export function isHoldOld(entries: Entries, now: string): boolean {
  const asked = entries.filter(({ kind }) => kind === 'authorised' || kind === 'incremented');
  const isOld = asked.every(({ at }) => Date.parse(now) - Date.parse(at) > MAX_HOLD_MS);
  return isOld && holdOf(entries) > 0n;
}

/** Whether nothing is held any more, whatever else arrives: cleared for the last time, voided or expired. */
export function isEnded(entries: Entries): boolean {
  return isReleased(entries) || entries.some(({ final }) => final);
}

/** Whether the hold was given back as a whole: voided or expired. */
export function isReleased(entries: Entries): boolean {
  return entries.some(({ kind }) => kind === 'voided' || kind === 'expired');
}

/** In units of the account. */
export function postedOf(entries: Entries): bigint {
  return entries.reduce((sum, { posted }) => sum + BigInt(posted), 0n);
}

/**
 * What counts towards the limit of a window, in units of the account: an authorisation counts when it is made, and only a
 * reversal in the same window gives it back.
 * @param isInWindow of the instant of an entry
 */
export function spentOf(entries: Entries, isInWindow: (at: string) => boolean): bigint {
  const within = entries.filter(({ kind, at }) => kind !== 'cleared' && isInWindow(at));
  if (within.some(({ kind }) => kind === 'voided')) return 0n;
  return inUnits(sumOf(within), entries);
}

const SIGNS: Readonly<Partial<Record<CardEntry['kind'], bigint>>> = {
  authorised: 1n,
  incremented: 1n,
  reversed: -1n,
  cleared: -1n,
};

/** In the smallest unit of the card's currency; not below zero. */
function sumOf(entries: Entries): bigint {
  const sum = entries.reduce((total, { kind, fiat }) => total + (SIGNS[kind] ?? 0n) * BigInt(fiat), 0n);
  return sum > 0n ? sum : 0n;
}

function inUnits(fiat: bigint, entries: Entries): bigint {
  const rate = rateOf(entries);
  return rate === null || fiat === 0n ? 0n : convert(fiat, rate).units;
}

/** Of the authorisation; while that has not arrived, of the increment whose id is the first. */
function rateOf(entries: Entries): CardRate | null {
  const authorised = entries.find(({ kind }) => kind === 'authorised');
  if (authorised) return authorised.rate;
  const [first] = entries.filter(({ kind }) => kind === 'incremented').sort((a, b) => (a.id < b.id ? -1 : 1));
  return first?.rate ?? null;
}
