import { dayAfter, firstDayOf, lastDayOf, type BillingPeriod, type Day } from './billing-period';

/** A half-open range of RFC 3339 UTC instants with milliseconds, which sort as text. */
interface InstantRange {
  readonly from: string;
  readonly before: string;
}

/** Maps instants to calendar days in one time zone. */
export interface Calendar {
  readonly timeZone: string;
  dayOf(instant: string): Day;
  /**
   * From the first instant of `from` or a later day to the last one of `to` or an earlier day. Where clocks go back over midnight
   * (St John's, 2009-11-01 00:01) instants of the next day are among them.
   */
  instants(from: Day, to: Day): InstantRange;
  instantsOf(period: BillingPeriod): InstantRange;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** No clock has gone back by more since 1970 (Casey, 2010-03-05). */
const MAX_REPEATED_MS = 4 * 60 * MINUTE_MS;
/** No time zone has ever had a larger offset from UTC. */
const MAX_OFFSET_MS = 16 * 3_600 * SECOND_MS;

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

  /** The instant within a step of which a condition becomes true, to the second. */
  const bisect = (earlier: number, later: number, isTrue: (at: number) => boolean): number => {
    while (later - earlier > SECOND_MS) {
      const middle = earlier + Math.floor((later - earlier) / 2 / SECOND_MS) * SECOND_MS;
      if (isTrue(middle)) later = middle;
      else earlier = middle;
    }
    return later;
  };

  /**
   * An instant at which the day or a later one begins. Found by bisection, not from an offset: clocks may go forward at
   * midnight, so that a day begins at 01:00, or skip a whole day.
   */
  const beginningOf = (day: Day): number => {
    const midnight = Date.parse(`${day}T00:00:00.000Z`);
    return bisect(midnight - MAX_OFFSET_MS, midnight + MAX_OFFSET_MS, at => dayAt(at) >= day);
  };

  /** The first such instant: a day that has begun is left and begins again where clocks go back over midnight. */
  const firstOf = (day: Day): number => {
    const known = beginningOf(day);
    for (let at = known - MAX_REPEATED_MS; at < known; at += MINUTE_MS)
      if (dayAt(at) >= day) return bisect(at - MINUTE_MS, at, each => dayAt(each) >= day);
    return known;
  };

  /** The end of the last instant of an earlier day. */
  const lastBefore = (day: Day): number => {
    const known = beginningOf(day);
    for (let at = known + MAX_REPEATED_MS; at > known; at -= MINUTE_MS)
      if (dayAt(at) < day) return bisect(at, at + MINUTE_MS, each => dayAt(each) >= day);
    return known;
  };

  const instants = (from: Day, to: Day): InstantRange => ({
    from: new Date(firstOf(from)).toISOString(),
    before: new Date(lastBefore(dayAfter(to))).toISOString(),
  });

  return {
    timeZone,
    dayOf: instant => (timeZone === 'UTC' ? instant.slice(0, 10) : dayAt(Date.parse(instant))),
    instants,
    instantsOf: period => instants(firstDayOf(period), lastDayOf(period)),
  };
}
