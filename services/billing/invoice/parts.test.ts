import fc from 'fast-check';
import { invoiceLinesStream, type InvoiceLine } from '../../../contracts/events/invoice';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { draftLines, splitIntoParts, linesOf } from './parts';
import { runs } from '../../../test/random';

const metadata = { now: '2026-12-01T09:00:00.000Z', actor: 'ann' };
const line = (merchantId: string, merchantName = 'Espresso & Co'): InvoiceLine => ({
  merchantId,
  merchantName,
  merchantSlug: 'espresso',
  feeType: 'creation',
  feeCount: 1,
  totalFee: '1.50',
  totalGross: '100.00',
});
const SIZE = JSON.stringify(line('m-1')).length + 1;
const five = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'].map(id => line(id));
const of = (lines: InvoiceLine[]) => ({ invoiceId: 'i-1', billingPeriod: '2026-11', lines });

async function eventsOf(store: InMemoryEventStore) {
  const events = [];
  for await (const page of store.readAll()) events.push(...page);
  return events;
}

describe('lines in parts', () => {
  it('are complete and in order, in as few parts as the limit allows', () => {
    const lines = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string()));
    const property = fc.property(lines, fc.integer({ min: 1, max: 2_000 }), (named, most) => {
      const all = named.map(([name, id]) => line(id, name));
      const parts = splitIntoParts(all, most);
      expect(parts.flat()).toEqual(all);
      const bytes = (part: InvoiceLine[]) => Buffer.byteLength(JSON.stringify(part)) - 1;
      for (const part of parts) if (part.length > 1) expect(bytes(part)).toBeLessThanOrEqual(most);
      // The first line of a part did not fit into the one before.
      for (const [i, part] of parts.slice(1).entries())
        expect(bytes([...parts[i]!, part[0]!])).toBeGreaterThan(most);
    });
    fc.assert(property, runs(100));
  });

  it('that fit into the event of the invoice are only there', async () => {
    const store = new InMemoryEventStore();
    expect(await draftLines(store, of(five), 5 * SIZE, metadata)).toEqual({ lines: five, drafted: null });
    expect(await eventsOf(store)).toEqual([]);
    expect(await draftLines(store, of([]), SIZE, metadata)).toEqual({ lines: [], drafted: null });
  });

  it('that do not fit are written before it, but for the last part, and are read as they were', async () => {
    const store = new InMemoryEventStore();
    const stored = await draftLines(store, of(five), 2 * SIZE, metadata);
    expect(stored).toMatchObject({ lines: [five[4]], drafted: { parts: 2 } });
    expect((await eventsOf(store)).map(({ data }) => data)).toMatchObject([
      { part: 0, lines: five.slice(0, 2) },
      { part: 1, lines: five.slice(2, 4) },
    ]);
    expect(await linesOf(store, { invoiceId: 'i-1', ...stored })).toEqual(five);
  });

  it('are continued after a crash, and written once by concurrent writers', async () => {
    const store = new InMemoryEventStore();
    const dying = {
      append: (...[stream, expected, events]: Parameters<typeof store.append>) =>
        expected === 'no_stream' ? store.append(stream, expected, events) : Promise.reject(new Error('dead')),
    };
    await expect(draftLines(dying, of(five), SIZE, metadata)).rejects.toThrow('dead');
    expect(await eventsOf(store)).toHaveLength(1);
    const many = await Promise.all([1, 2, 3].map(() => draftLines(store, of(five), SIZE, metadata)));
    expect(await eventsOf(store)).toHaveLength(4);
    for (const stored of many) expect(await linesOf(store, { invoiceId: 'i-1', ...stored })).toEqual(five);
  });

  it('of two drafts of one invoice, or split differently, are never mixed', async () => {
    const store = new InMemoryEventStore();
    const drafts = await Promise.all([
      draftLines(store, of(five), SIZE, metadata),
      draftLines(store, of(five), 2 * SIZE, metadata),
      draftLines(store, of(five.toReversed()), SIZE, metadata),
    ]);
    const read = await Promise.all(drafts.map(stored => linesOf(store, { invoiceId: 'i-1', ...stored })));
    expect(read).toEqual([five, five, five.toReversed()]);
    const streams = drafts.map(({ drafted }) => invoiceLinesStream('i-1', drafted!.digest));
    expect(new Set(streams).size).toBe(3);
  });
});
