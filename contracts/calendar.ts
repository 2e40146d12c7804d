import { dayAfter, firstDayOf, lastDayOf, type BillingPeriod, type Day } from './billing-period';

/** A half-open span of RFC 3339 UTC instants with milliseconds; as text they sort as they follow each other. */
interface Instants {
  readonly from: string;
  readonly before: string;
}

/** How instants fall on calendar days in one time zone. */
export interface Calendar {
  readonly timeZone: string;
  dayOf(instant: string): Day;
  /** From the first instant of `from` to the end of `to`, both days included. */
  instants(from: Day, to: Day): Instants;
  instantsOf(period: BillingPeriod): Instants;
}

const SECOND = 1_000;
/** No zone has ever been further from UTC than this. */
const FARTHEST = 16 * 3_600 * SECOND;

/** @param timeZone IANA name, such as `Europe/Berlin`. @throws RangeError when there is no such zone. */
export function createCalendar(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });

  const dayAt = (milliseconds: number): Day => {
    const [month, , day, , year] = format.formatToParts(milliseconds);
    return `${year!.value.padStart(4, '0')}-${month!.value}-${day!.value}`;
  };

  /**
   * The first instant that falls on the day or a later one. Searched for, not computed from an offset: clocks may go
   * forward at midnight, so that a day begins at 01:00, or leave out a day altogether.
   */
  const startOf = (day: Day): string => {
    const midnight = Date.parse(`${day}T00:00:00.000Z`);
    let earlier = midnight - FARTHEST;
    let there = midnight + FARTHEST;
    while (there - earlier > SECOND) {
      const middle = earlier + Math.floor((there - earlier) / 2 / SECOND) * SECOND;
      if (dayAt(middle) >= day) there = middle;
      else earlier = middle;
    }
    return new Date(there).toISOString();
  };

  const instants = (from: Day, to: Day): Instants => ({ from: startOf(from), before: startOf(dayAfter(to)) });

  return {
    timeZone,
    dayOf: instant => (timeZone === 'UTC' ? instant.slice(0, 10) : dayAt(Date.parse(instant))),
    instants,
    instantsOf: period => instants(firstDayOf(period), lastDayOf(period)),
  };
}
