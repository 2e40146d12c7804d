import fc from 'fast-check';
import { pino } from 'pino';
import { readJson } from '../../../contracts/json/read-json';
import { PartnerBusy, PartnerRefused, PartnerUnavailable } from '../../../contracts/ports/exchange-partner';
import type { CreateBehaviour } from '../../../test/doubles/exchange-partner';
import { REQUEST } from '../../../test/exchange/order';
import { Placing } from '../../../test/exchange/placing';
import { runs } from '../../../test/random';

const LOST = ['Requested', 'PartnerCallStarted', 'OutcomeUnknown'];
const LOST_TWICE = [...LOST, 'PartnerCallStarted', 'OutcomeUnknown'];
const FAILED_CALL = ['PartnerCallStarted', 'PartnerCallFailed'];

async function place(next: readonly CreateBehaviour[], listedAfterMs = 0): Promise<Placing> {
  const placing = new Placing(listedAfterMs);
  placing.partner.next.push(...next);
  await placing.request();
  await placing.finish();
  return placing;
}

it.each<[string, CreateBehaviour[], string[]]>([
  ['is created', ['create'], ['Requested', 'PartnerCallStarted', 'Created']],
  ['is rejected', ['refuse'], ['Requested', 'PartnerCallStarted', 'Rejected']],
  ['is found', ['create_and_lose'], [...LOST, 'Adopted']],
  ['is asked for once more', ['lose'], [...LOST, 'PartnerCallStarted', 'Created']],
  ['is found after the second call', ['lose', 'create_and_lose'], [...LOST_TWICE, 'Adopted']],
  ['is abandoned after the second call', ['lose', 'lose'], [...LOST_TWICE, 'Abandoned']],
  [
    'is asked for until the partner is there',
    ['unavailable', 'unavailable'],
    ['Requested', ...FAILED_CALL, ...FAILED_CALL, 'PartnerCallStarted', 'Created'],
  ],
  [
    'is abandoned when the partner is away for long',
    Array.from({ length: 9 }, () => 'unavailable'),
    ['Requested', ...Array.from({ length: 5 }, () => FAILED_CALL).flat(), 'Abandoned'],
  ],
  ['is found where the answer was for another address', ['another_address'], [...LOST, 'Adopted']],
  ['is found where the answer was damaged', ['throw', 'create'], [...LOST, 'PartnerCallStarted', 'Created']],
])('an order %s', async (_what, next, expected) => {
  const placing = await place(next);
  expect(placing.types()).toEqual(expected);
  const isPlaced = ['Created', 'Adopted'].includes(expected.at(-1)!);
  expect(placing.shown()).toBe(isPlaced ? placing.partner.made.at(-1)!.order.id : null);
});

it('that too many orders wait, which strangers can cause, is no warning; that the partner is away is one', async () => {
  const lines: { level: number; msg: string }[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(readJson(line) as never) },
  );
  const failing = async (error: Error) => {
    const placing = new Placing();
    placing.port = { ...placing.partner, createOrder: () => Promise.reject(error) };
    await placing.request();
    lines.length = 0;
    for (let waitMs = await placing.run(undefined, { logger }); waitMs !== null;) {
      placing.now += waitMs;
      waitMs = await placing.run(undefined, { logger });
    }
    return [placing.types().at(-1), [...new Set(lines.map(({ msg }) => msg))]];
  };
  expect(await failing(new PartnerBusy('too many wait'))).toEqual(['Abandoned', []]);
  expect(await failing(new PartnerUnavailable('away'))).toEqual([
    'Abandoned',
    ['exchange partner not called'],
  ]);
});

it('repeats no call while its order may still be listed', async () => {
  const placing = await place(['create_and_lose'], 55_000);
  expect(placing.types()).toEqual([...LOST, 'Adopted']);
  expect(placing.partner.calls).toBe(1);
});

it('shows one order when the first is listed too late', async () => {
  const placing = await place(['create_and_lose'], 90_000);
  expect(placing.types()).toEqual([...LOST, 'PartnerCallStarted', 'Created']);
  expect([placing.partner.made.length, placing.shown()]).toEqual([2, 'p2']);
});

it('abandons an order when several may be it, and flags it', async () => {
  const placing = new Placing(120_000);
  placing.partner.next.push('create_and_lose', 'create_and_lose');
  await placing.request();
  expect(await placing.run()).toBeGreaterThan(0);
  placing.now += 60_000;
  await placing.run();
  placing.now += 130_000;
  await placing.finish();
  expect(placing.types()).toEqual([...LOST_TWICE, 'Abandoned']);
  expect(placing.outcomes.at(-1)).toBe('abandoned_ambiguous');
});

it('waits for a partner that does not answer searches, an hour at most', async () => {
  const placing = new Placing();
  placing.partner.next.push('create_and_lose');
  placing.partner.unansweredSearches = 9;
  await placing.request();
  await placing.finish();
  expect(placing.types()).toEqual([...LOST, 'Adopted']);

  const silent = new Placing();
  silent.partner.next.push('create_and_lose');
  silent.partner.unansweredSearches = Infinity;
  await silent.request();
  await silent.finish();
  expect(silent.types()).toEqual([...LOST, 'Abandoned']);
  expect(silent.outcomes.at(-1)).toBe('abandoned_partner_unavailable');
  expect(silent.now - Date.parse(silent.events()[2]!.data.at)).toBeLessThan(2 * 3_600_000);
});

it('waits an hour at most, too, for a partner that refuses searches', async () => {
  const placing = new Placing();
  placing.partner.next.push('create_and_lose');
  placing.port = {
    ...placing.partner,
    ordersTo: () => Promise.reject(new PartnerRefused('currency_unavailable', 'temporarily unavailable')),
  };
  await placing.request();
  await placing.finish();
  expect(placing.types()).toEqual([...LOST, 'Abandoned']);
  expect(placing.outcomes.at(-1)).toBe('abandoned_partner_unavailable');
});

it('of two workers at a time one asks the partner', async () => {
  const placing = new Placing();
  await placing.request();
  const waits = await Promise.all([placing.run(), placing.run(), placing.run()]);
  expect(waits.filter(wait => wait === null)).not.toEqual([]);
  expect(placing.partner.calls).toBe(1);
  expect(placing.shown()).toBe('p1');
});

it('a worker whose call has taken too long still places the order', async () => {
  const placing = new Placing();
  await placing.request();
  let answer = (): void => undefined;
  const answered = new Promise<void>(resolve => (answer = resolve));
  const slow: typeof placing.partner = {
    ...placing.partner,
    createOrder: async (order, call) => {
      const made = await placing.partner.createOrder(order, call);
      await answered;
      return made;
    },
    ordersTo: placing.partner.ordersTo,
  };
  const first = placing.run(REQUEST.orderId, { partner: async () => slow });
  while (placing.partner.made.length === 0) await new Promise(setImmediate);
  expect(await placing.run()).toBe(20_000);
  placing.now += 20_000;
  expect(await placing.run()).toBeNull();
  answer();
  expect(await first).toBeNull();
  expect(placing.types()).toEqual([...LOST, 'Adopted']);
  expect(placing.shown()).toBe('p1');
});

const BEHAVIOURS: CreateBehaviour[] = ['create', 'refuse', 'unavailable', 'create_and_lose', 'lose', 'throw'];
/** More than a worker does for one order. */
const MAX_OPERATIONS = 40;

it.each(BEHAVIOURS)(
  'a crash at every step leaves one order, where the partner does this: %s',
  async behaviour => {
    let crashes = 0;
    for (const when of ['before', 'after'] as const)
      for (let n = 0; n < MAX_OPERATIONS; n++) {
        const placing = new Placing();
        placing.partner.next.push(behaviour);
        if (!(await placing.runUntilCrash({ at: n, when }))) break;
        crashes++;
        placing.now += 30_000;
        placing.partner.next.length = 0;
        // The user taps again, as an app does that got no answer, and the job runs again.
        await placing.request();
        await placing.finish();
        const made = placing.partner.made.map(({ order }) => order.id);
        const end = placing.types().at(-1);
        const expected = end === 'Rejected' || end === 'Abandoned' ? [] : [placing.shown()];
        expect([when, n, made]).toEqual([when, n, expected]);
        if (end === 'Rejected') expect(behaviour).toBe('refuse');
        // Two answers were lost: that of the partner, and that of the worker that died.
        if (end === 'Abandoned') expect(['lose', 'throw']).toContain(behaviour);
      }
    expect(crashes).toBeGreaterThanOrEqual(6);
  },
);

test('equal orders of one user, workers that die and any partner: never two shown for one, never one shown for two', async () => {
  const behaviour = fc.constantFrom<CreateBehaviour>(
    'create',
    'create',
    'create_and_lose',
    'lose',
    'unavailable',
    'duplicate',
    'another_address',
  );
  const step = fc.record({
    order: fc.constantFrom('a', 'b', 'c'),
    after: fc.constantFrom(0, 0, 1_000, 25_000, 61_000),
    together: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { maxLength: 8 }),
      fc.array(step, { maxLength: 20 }),
      fc.constantFrom(0, 30_000, 90_000),
      async (next, steps, listedAfterMs) => {
        const placing = new Placing(listedAfterMs);
        placing.partner.next.push(...next);
        const orders = ['a', 'b', 'c'];
        for (const order of orders) await placing.request(order);
        for (const { order, after, together } of steps) {
          placing.now += after;
          await Promise.all([placing.run(order), ...(together ? orders.map(each => placing.run(each)) : [])]);
        }
        for (const order of orders) await placing.finish(order);
        const shown = orders.map(order => placing.shown(order)).filter(id => id !== null);
        expect(new Set(shown).size).toBe(shown.length);
        const made = placing.partner.made.map(({ order }) => order.id);
        expect(shown.every(id => made.includes(id))).toBe(true);
        for (const order of orders)
          expect(placing.types(order).filter(type => ENDS.includes(type))).toHaveLength(1);
      },
    ),
    runs(50),
  );
});

const ENDS = ['Created', 'Adopted', 'Rejected', 'Abandoned'];
