/** A calendar day, `YYYY-MM-DD`, and a calendar month, `YYYY-MM`: as text they sort as they follow each other. */
export type Day = string;
export type BillingPeriod = string;

/** The days that fees may fall on. */
export const FIRST_DAY: Day = '1970-01-01';
export const LAST_DAY: Day = '2999-12-31';

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const PERIOD = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** True for days that exist: 2026-02-30 does not. */
export const isDay = (text: string): boolean => DAY.test(text) && utc(text).toISOString().startsWith(text);

export const isBillingPeriod = (text: string): boolean => PERIOD.test(text);

export const periodOf = (day: Day): BillingPeriod => day.slice(0, 7);

export const firstDayOf = (period: BillingPeriod): Day => `${period}-01`;

export function lastDayOf(period: BillingPeriod): Day {
  const [year, month] = period.split('-').map(Number) as [number, number];
  const last = utc(firstDayOf(period));
  last.setUTCFullYear(year, month, 0);
  return last.toISOString().slice(0, 10);
}

export const dayAfter = (day: Day): Day => daysFrom(day, 1);

export const dayBefore = (day: Day): Day => daysFrom(day, -1);

function daysFrom(day: Day, days: number): Day {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const utc = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);
