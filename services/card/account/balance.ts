import type { CardBalance, CardEntry } from '../../../contracts/events/card-account';
import { holdOf, spentOf, type Entries } from './transaction';
import { windowsOf, type Windows } from './windows';

/** What may be spent, in units of the account: what is posted without what is held. Negative after a force post. */
export function availableOf({ posted, held }: Pick<CardBalance, 'posted' | 'held'>): bigint {
  return BigInt(posted) - BigInt(held);
}

/** What was spent in the day or the month of an instant, in units of the account. */
export function spentIn(
  { day, daySpent, month, monthSpent }: CardBalance,
  windows: Windows,
): { readonly day: string; readonly month: string } {
  return {
    day: windows.day > day ? '0' : daySpent,
    month: windows.month > month ? '0' : monthSpent,
  };
}

/** @param before the entries of the transaction that `entry` is added to */
export function balanceWith(
  balance: CardBalance,
  before: Entries,
  entry: CardEntry,
  tzOffset: number,
): CardBalance {
  const after = [...before, entry];
  const held = BigInt(balance.held) + holdOf(after) - holdOf(before);
  const spent = (window: 'day' | 'month', now: string, total: string) => {
    const isNow = (at: string) => windowsOf(at, tzOffset)[window] === now;
    // Of other transactions nothing is in a window that begins with this entry.
    const counted = now > balance[window] ? 0n : BigInt(total) - spentOf(before, isNow);
    return (counted + spentOf(after, isNow)).toString();
  };
  const windows = windowsOf(entry.at, tzOffset);
  const day = later(windows.day, balance.day);
  const month = later(windows.month, balance.month);
  return {
    posted: (BigInt(balance.posted) + BigInt(entry.posted)).toString(),
    held: held.toString(),
    day,
    daySpent: spent('day', day, balance.daySpent),
    month,
    monthSpent: spent('month', month, balance.monthSpent),
  };
}

const later = (a: string, b: string): string => (a > b ? a : b);
