import fc from 'fast-check';
import type { MergedCursor } from '../../contracts/http/history/history';
import { JsonText } from '../../contracts/json/json-text';
import { runs } from '../../test/random';
import type { ReadCardEvents } from '../card-events';
import { readWithCardEvents } from './card-events';
import type { ReadTonHistory } from './read-ton-history';

const ACCOUNT = { chain: 'ton', network: 'mainnet', address: '0:1', watch: 1 } as const;
const readList = () => Promise.reject(new Error('nothing is waited for'));

/** Transactions of these seconds, newest first. */
function chainOf(times: readonly number[]): ReadTonHistory {
  const all = times.map((time, index) => {
    const lt = String(1_000 - index);
    return { lt, hash: `h${lt}`, time, row: new JsonText<never>(JSON.stringify({ lt, time })) };
  });
  return async (_account, { from, limit }) => {
    const rest = from === undefined ? all : all.filter(({ lt }) => Number(lt) <= Number(from));
    const transactions = rest.slice(0, limit) as never;
    return { transactions, isFull: rest.length >= limit, hasMore: rest.length > limit };
  };
}

const placeOf = (time: number, index: number) =>
  `${new Date(time).toISOString()}/${String(1_000 - index).padStart(15, '0')}`;

/** Card events of these milliseconds, newest first. */
function eventsOf(times: readonly number[]): ReadCardEvents {
  const all = times.map((time, index) => ({
    place: placeOf(time, index),
    event: { id: `c${index}`, type: 'card_paid', time, data: { amount: '1' } } as const,
  }));
  return async ({ before, limit }) => {
    const rest = before === null ? all : all.filter(({ place }) => place < before);
    return { events: rest.slice(0, limit), more: rest.length > limit };
  };
}

const descending = (times: readonly number[]) => [...times].sort((one, other) => other - one);

it('all pages together have each transaction and each card event once, in one order of time', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(20), { maxLength: 20 }),
      fc.array(fc.nat(20_000), { maxLength: 20 }),
      fc.integer({ min: 2, max: 7 }),
      async (tonTimes, cardTimes, limit) => {
        const read = chainOf(descending(tonTimes));
        const cards = eventsOf(descending(cardTimes));
        const shown: { readonly name: string; readonly time: number }[] = [];
        let cursor: MergedCursor | undefined = {};
        while (cursor) {
          const page = (
            await readWithCardEvents({ read, cards }, ACCOUNT, { cursor, limit }, readList)
          ).parse();
          for (const { type, data } of page.data) {
            const { lt = '', time, id } = data as { lt?: string; time: number; id?: string };
            const name = type === 'ton' ? lt : id!;
            // A page begins with the transaction that its cursor names.
            if (shown.every(before => before.name !== name))
              shown.push({ name, time: type === 'ton' ? time : time / 1_000 });
            else expect(name).toBe(cursor.ton?.lt);
          }
          expect(page.data.length <= limit).toBe(true);
          expect(page.hasMore).toBe(page.cursor !== undefined);
          cursor = page.cursor;
        }
        expect(shown).toHaveLength(tonTimes.length + cardTimes.length);
        expect(shown.map(({ time }) => time)).toEqual(descending(shown.map(({ time }) => time)));
      },
    ),
    runs(100),
  ));
