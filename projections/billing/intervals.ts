import {
  dayAfter,
  dayBefore,
  FIRST_DAY,
  firstDayOf,
  LAST_DAY,
  lastDayOf,
  periodOf,
  type BillingPeriod,
  type Day,
} from '../../contracts/time/billing-period';

/** The days of a report, both included; null is unbounded. */
export interface DayRange {
  readonly from: Day | null;
  readonly to: Day | null;
}

export const ALL_DAYS: DayRange = { from: null, to: null };
export function isUnbounded({ from, to }: DayRange): boolean {
  return from === null && to === null;
}

/** Buckets exist for each day (`d2026-11-20`), each month (`m2026-11`) and all time. */
export const ALL_TIME = 'a';
export function dayInterval(day: Day): string {
  return `d${day}`;
}
export function isDayInterval(interval: string): boolean {
  return interval.startsWith('d');
}
export function monthInterval(month: BillingPeriod): string {
  return `m${month}`;
}
export function periodOfInterval(interval: string): BillingPeriod {
  return interval.slice(1, 8);
}

/** A range of intervals of one kind, both ends included. */
export interface IntervalRange {
  readonly gte: string;
  readonly lte: string;
}

/** The days of the month and the dates of a filter; the intersection when it has both. */
export function daysOf(filter: {
  readonly dateFrom?: Day | undefined;
  readonly dateTo?: Day | undefined;
  readonly billingPeriod?: BillingPeriod | undefined;
}): DayRange {
  const { dateFrom = null, dateTo = null, billingPeriod } = filter;
  if (billingPeriod === undefined) return { from: dateFrom, to: dateTo };
  const first = firstDayOf(billingPeriod);
  const last = lastDayOf(billingPeriod);
  return {
    from: dateFrom !== null && dateFrom > first ? dateFrom : first,
    to: dateTo !== null && dateTo < last ? dateTo : last,
  };
}

/** The fewest intervals that cover the days: whole months, and single days before and after them. */
export function intervalsOf(range: DayRange): IntervalRange[] {
  if (isUnbounded(range)) return [{ gte: ALL_TIME, lte: ALL_TIME }];
  const { from, to } = bounded(range);
  if (from > to) return [];

  const firstMonth = from === firstDayOf(periodOf(from)) ? periodOf(from) : monthAfter(periodOf(from));
  const lastMonth = to === lastDayOf(periodOf(to)) ? periodOf(to) : monthBefore(periodOf(to));
  if (firstMonth > lastMonth) return [days(from, to)];
  return [
    ...(from < firstDayOf(firstMonth) ? [days(from, dayBefore(firstDayOf(firstMonth)))] : []),
    { gte: monthInterval(firstMonth), lte: monthInterval(lastMonth) },
    ...(to > lastDayOf(lastMonth) ? [days(dayAfter(lastDayOf(lastMonth)), to)] : []),
  ];
}

/** The range with unbounded sides set to the first and last day of fees. */
export function bounded({ from, to }: DayRange): { from: Day; to: Day } {
  return {
    from: from !== null && from > FIRST_DAY ? from : FIRST_DAY,
    to: to !== null && to < LAST_DAY ? to : LAST_DAY,
  };
}

/** The day intervals of a day or month interval. */
export function daysOfInterval(interval: string): IntervalRange {
  const day = interval.slice(1);
  return isDayInterval(interval) ? days(day, day) : days(firstDayOf(day), lastDayOf(day));
}

const days = (from: Day, to: Day): IntervalRange => ({ gte: dayInterval(from), lte: dayInterval(to) });
const monthAfter = (month: BillingPeriod): BillingPeriod => periodOf(dayAfter(lastDayOf(month)));
const monthBefore = (month: BillingPeriod): BillingPeriod => periodOf(dayBefore(firstDayOf(month)));
