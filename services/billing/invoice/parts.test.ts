import fc from 'fast-check';
import { invoiceLinesStream, type InvoiceLine } from '../../../contracts/events/invoice';
import { InMemoryEventStoreDouble } from '../../../test/doubles/event-store';
import { draftLines, inParts, linesOf } from './parts';

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

async function eventsOf(store: InMemoryEventStoreDouble) {
  const events = [];
  for await (const page of store.readAll()) events.push(...page);
  return events;
}

describe('lines in parts', () => {
  it('are all there in their order, in as few parts as take no more bytes than they may', () => {
    const lines = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string()));
    const property = fc.property(lines, fc.integer({ min: 1, max: 2_000 }), (named, most) => {
      const all = named.map(([name, id]) => line(id, name));
      const parts = inParts(all, most);
      expect(parts.flat()).toEqual(all);
      const bytes = (part: InvoiceLine[]) => Buffer.byteLength(JSON.stringify(part)) - 1;
      for (const part of parts) if (part.length > 1) expect(bytes(part)).toBeLessThanOrEqual(most);
      // The first line of a part would not have gone into the one before.
      for (const [i, part] of parts.slice(1).entries())
        expect(bytes([...parts[i]!, part[0]!])).toBeGreaterThan(most);
    });
    fc.assert(property);
  });

  it('that fit into one event are written by nobody but it', async () => {
    const store = new InMemoryEventStoreDouble();
    expect(await draftLines(store, of(five), 5 * SIZE, metadata)).toEqual({ lines: five, drafted: null });
    expect(await eventsOf(store)).toEqual([]);
    expect(await draftLines(store, of([]), SIZE, metadata)).toEqual({ lines: [], drafted: null });
  });

  it('that do not are written before it, the last of them excepted, and are read again as they were', async () => {
    const store = new InMemoryEventStoreDouble();
    const told = await draftLines(store, of(five), 2 * SIZE, metadata);
    expect(told).toMatchObject({ lines: [five[4]], drafted: { parts: 2 } });
    expect((await eventsOf(store)).map(({ data }) => data)).toMatchObject([
      { part: 0, lines: five.slice(0, 2) },
      { part: 1, lines: five.slice(2, 4) },
    ]);
    expect(await linesOf(store, { invoiceId: 'i-1', ...told })).toEqual(five);
  });

  it('are gone on with after a crash, and written once by many at once', async () => {
    const store = new InMemoryEventStoreDouble();
    const dying = {
      append: (...[stream, expected, events]: Parameters<typeof store.append>) =>
        expected === 'no_stream' ? store.append(stream, expected, events) : Promise.reject(new Error('dead')),
    };
    await expect(draftLines(dying, of(five), SIZE, metadata)).rejects.toThrow('dead');
    expect(await eventsOf(store)).toHaveLength(1);
    const many = await Promise.all([1, 2, 3].map(() => draftLines(store, of(five), SIZE, metadata)));
    expect(await eventsOf(store)).toHaveLength(4);
    for (const told of many) expect(await linesOf(store, { invoiceId: 'i-1', ...told })).toEqual(five);
  });

  it('of two drafts of one invoice, or cut in another way, are never mixed up', async () => {
    const store = new InMemoryEventStoreDouble();
    const drafts = await Promise.all([
      draftLines(store, of(five), SIZE, metadata),
      draftLines(store, of(five), 2 * SIZE, metadata),
      draftLines(store, of(five.toReversed()), SIZE, metadata),
    ]);
    const read = await Promise.all(drafts.map(told => linesOf(store, { invoiceId: 'i-1', ...told })));
    expect(read).toEqual([five, five, five.toReversed()]);
    const streams = drafts.map(({ drafted }) => invoiceLinesStream('i-1', drafted!.digest));
    expect(new Set(streams).size).toBe(3);
  });
});
