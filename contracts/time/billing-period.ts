/** A calendar day, `YYYY-MM-DD`, and a calendar month, `YYYY-MM`; both sort as text. */
export type Day = string;
export type BillingPeriod = string;

/** The first and last day that a fee may have. */
export const FIRST_DAY: Day = '1970-01-01';
export const LAST_DAY: Day = '2999-12-31';

/** The form of a day; whether it exists, `isDay` says. */
export const DAY_FORM = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const PERIOD = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** True for days that exist: 2026-02-30 does not. */
export function isDay(text: string): boolean {
  return DAY_FORM.test(text) && utc(text).toISOString().startsWith(text);
}

/** Whether a text is a month that exists, `YYYY-MM`. */
export function isBillingPeriod(text: string): boolean {
  return PERIOD.test(text);
}

/** The month of a day. */
export function periodOf(day: Day): BillingPeriod {
  return day.slice(0, 7);
}

/** The first day of a month. */
export function firstDayOf(period: BillingPeriod): Day {
  return `${period}-01`;
}

/** The last day of a month. */
export function lastDayOf(period: BillingPeriod): Day {
  const [year, month] = period.split('-').map(Number) as [number, number];
  const last = utc(firstDayOf(period));
  last.setUTCFullYear(year, month, 0);
  return last.toISOString().slice(0, 10);
}

/** The next day, also over the end of a month. */
export function dayAfter(day: Day): Day {
  return daysFrom(day, 1);
}

/** The day before, also over the start of a month. */
export function dayBefore(day: Day): Day {
  return daysFrom(day, -1);
}

/** The days of a range, both included, in order; none when it ends before it begins. */
export function* daysOf(from: Day, to: Day): Generator<Day> {
  for (let day = from; day <= to; day = dayAfter(day)) {
    yield day;
    // The day after 9999-12-31 has not the form of one, and sorts before it.
    if (day === to) return;
  }
}

function daysFrom(day: Day, days: number): Day {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const utc = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);
