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
  /** From the first instant of `from` to the end of `to`, both days included. */
  instants(from: Day, to: Day): InstantRange;
  instantsOf(period: BillingPeriod): InstantRange;
}

const SECOND_MS = 1_000;
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

  /**
   * The first instant of the day or a later one. Found by bisection, not from an offset: clocks may go forward at
   * midnight, so that a day begins at 01:00, or skip a whole day.
   */
  const startOf = (day: Day): string => {
    const midnight = Date.parse(`${day}T00:00:00.000Z`);
    let earlier = midnight - MAX_OFFSET_MS;
    let later = midnight + MAX_OFFSET_MS;
    while (later - earlier > SECOND_MS) {
      const middle = earlier + Math.floor((later - earlier) / 2 / SECOND_MS) * SECOND_MS;
      if (dayAt(middle) >= day) later = middle;
      else earlier = middle;
    }
    return new Date(later).toISOString();
  };

  const instants = (from: Day, to: Day): InstantRange => ({
    from: startOf(from),
    before: startOf(dayAfter(to)),
  });

  return {
    timeZone,
    dayOf: instant => (timeZone === 'UTC' ? instant.slice(0, 10) : dayAt(Date.parse(instant))),
    instants,
    instantsOf: period => instants(firstDayOf(period), lastDayOf(period)),
  };
}
