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
} from '../../contracts/billing-period';

/** The days of a report, both included; null leaves that side open. */
export interface DayRange {
  readonly from: Day | null;
  readonly to: Day | null;
}

export const FOREVER: DayRange = { from: null, to: null };
export function isForever({ from, to }: DayRange): boolean {
  return from === null && to === null;
}

/** Sums are kept for every day, every month and for all time; one text names the span of a bucket. */
export const ALWAYS = 'a';
export function spanOfDay(day: Day): string {
  return `d${day}`;
}
export function spanOfMonth(month: BillingPeriod): string {
  return `m${month}`;
}
export function periodOfSpan(span: string): BillingPeriod {
  return span.slice(1, 8);
}

/** A run of spans of one kind, both ends included. */
export interface Spans {
  readonly gte: string;
  readonly lte: string;
}

/** The month's days where a period is asked for, cut down to the dates where both are. */
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

/** The fewest buckets that make up the days: whole months as such, single days at the edges. */
export function spansOf(range: DayRange): Spans[] {
  if (isForever(range)) return [{ gte: ALWAYS, lte: ALWAYS }];
  const { from, to } = within(range);
  if (from > to) return [];

  const firstMonth = from === firstDayOf(periodOf(from)) ? periodOf(from) : monthAfter(periodOf(from));
  const lastMonth = to === lastDayOf(periodOf(to)) ? periodOf(to) : monthBefore(periodOf(to));
  if (firstMonth > lastMonth) return [days(from, to)];
  return [
    ...(from < firstDayOf(firstMonth) ? [days(from, dayBefore(firstDayOf(firstMonth)))] : []),
    { gte: spanOfMonth(firstMonth), lte: spanOfMonth(lastMonth) },
    ...(to > lastDayOf(lastMonth) ? [days(dayAfter(lastDayOf(lastMonth)), to)] : []),
  ];
}

/** No fee falls outside these, so an open side ends there. */
export function within({ from, to }: DayRange): { from: Day; to: Day } {
  return {
    from: from !== null && from > FIRST_DAY ? from : FIRST_DAY,
    to: to !== null && to < LAST_DAY ? to : LAST_DAY,
  };
}

/** The spans of the days that a span of a day or a month is made of. */
export function daysIn(span: string): Spans {
  const day = span.slice(1);
  return span.startsWith('d') ? days(day, day) : days(firstDayOf(day), lastDayOf(day));
}

const days = (from: Day, to: Day): Spans => ({ gte: spanOfDay(from), lte: spanOfDay(to) });
const monthAfter = (month: BillingPeriod): BillingPeriod => periodOf(dayAfter(lastDayOf(month)));
const monthBefore = (month: BillingPeriod): BillingPeriod => periodOf(dayBefore(firstDayOf(month)));
