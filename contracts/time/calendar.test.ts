import fc from 'fast-check';
import { createCalendar } from './calendar';
import { dayAfter, dayBefore } from './billing-period';
import { runs } from '../../test/random';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
];

describe('a calendar', () => {
  it('puts an instant on the day of its zone', () => {
    const instant = '2026-10-31T23:30:00.000Z';
    expect(createCalendar('UTC').dayOf(instant)).toBe('2026-10-31');
    expect(createCalendar('Europe/Berlin').dayOf(instant)).toBe('2026-11-01');
    expect(createCalendar('America/New_York').dayOf(instant)).toBe('2026-10-31');
  });

  it('computes months in which daylight saving time begins or ends', () => {
    const berlin = createCalendar('Europe/Berlin');
    expect(berlin.instantsOf('2026-03')).toEqual({
      from: '2026-02-28T23:00:00.000Z',
      before: '2026-03-31T22:00:00.000Z',
    });
    expect(berlin.instantsOf('2026-10')).toEqual({
      from: '2026-09-30T22:00:00.000Z',
      before: '2026-10-31T23:00:00.000Z',
    });
  });

  it('begins a day without midnight at its first instant', () => {
    const saoPaulo = createCalendar('America/Sao_Paulo');
    expect(saoPaulo.instants('2018-11-04', '2018-11-04')).toEqual({
      from: '2018-11-04T03:00:00.000Z',
      before: '2018-11-05T02:00:00.000Z',
    });
  });

  it('returns an empty range for a day that the zone skipped', () => {
    const { from, before } = createCalendar('Pacific/Apia').instants('2011-12-30', '2011-12-30');
    expect(from).toBe(before);
  });

  it('has months with all their instants where a day is left and begins again', () => {
    const calendar = createCalendar('America/St_Johns');
    // At 00:01 on 1 November clocks went back to 23:01 on 31 October.
    expect(calendar.instantsOf('2009-10').before).toBe('2009-11-01T03:30:00.000Z');
    expect(calendar.instantsOf('2009-11').from).toBe('2009-11-01T02:30:00.000Z');
    expect(createCalendar('Antarctica/Casey').instants('2010-03-04', '2010-03-04').before).toBe(
      '2010-03-04T16:00:00.000Z',
    );
  });

  it('refuses a zone that does not exist', () => {
    expect(() => createCalendar('Mars/Olympus')).toThrow(RangeError);
  });

  it.each(ZONES)('in %s every instant lies within its own day and no other', zone => {
    const calendar = createCalendar(zone);
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2012-01-01'), max: new Date('2045-01-01'), noInvalidDate: true }),
        date => {
          const instant = date.toISOString();
          const day = calendar.dayOf(instant);
          const { from, before } = calendar.instants(day, day);
          expect(from <= instant && instant < before).toBe(true);
          expect(calendar.instants(dayBefore(day), dayBefore(day)).before).toBe(from);
          expect(calendar.instants(dayAfter(day), dayAfter(day)).from).toBe(before);
        },
      ),
      runs(25),
    );
  });

  it('in every zone the months are those of its clocks, to the millisecond', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const [years, months] = [fc.integer({ min: 1970, max: 2037 }), fc.integer({ min: 1, max: 12 })];
    fc.assert(
      fc.property(zones, years, months, (timeZone, year, number) => {
        const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit' });
        const month = (instant: string, milliseconds = 0) =>
          clock.format(Date.parse(instant) + milliseconds).slice(0, 7);
        const period = `${year}-${String(number).padStart(2, '0')}`;
        const { from, before } = createCalendar(timeZone).instantsOf(period);
        expect([month(from), month(from, -1) < period]).toEqual([period, true]);
        expect([month(before, -1), month(before) > period]).toEqual([period, true]);
      }),
      runs(50),
    );
  });
});
