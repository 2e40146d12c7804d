import fc from 'fast-check';
import { PartnerUnavailable, type PartnerOrder } from '../../contracts/ports/exchange-partner';
import { trackingJobs } from '../../services/exchange/tracking/jobs';
import { runs } from '../random';
import { partnerOrder } from './order';
import { until } from '../until';
import { START, TrackedOrders } from './tracked-orders';
import { VirtualJobs } from './virtual-jobs';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000] as const;

/** What the partner shows of an order, from an age in milliseconds on. */
type Script = readonly (readonly [ageMs: number, order: Partial<PartnerOrder>])[];

/** Orders at a double of the partner, which follows their scripts. */
class Tracking extends TrackedOrders {
  readonly scripts = new Map<string, Script>();
  readonly reads: { readonly at: number; readonly ids: readonly string[] }[] = [];
  isDown = false;
  /** Until then the partner does not answer. */
  answered = Promise.resolve();

  constructor() {
    super({ partner: async () => ({ orders: ids => this.read(ids) }) });
  }

  async place(orderId: string, script: Script, expiresInMs: number = HOUR): Promise<void> {
    this.scripts.set(
      orderId,
      script.map(([age, order]) => [this.jobs.now + age, order] as const),
    );
    await this.record(orderId, partnerOrder({ id: orderId, status: 'new' }), expiresInMs);
  }

  readsOf(orderId: string): number[] {
    return this.reads.filter(({ ids }) => ids.includes(orderId)).map(read => read.at);
  }

  private async read(ids: readonly string[]): Promise<PartnerOrder[]> {
    const { now } = this.jobs;
    this.reads.push({ at: now, ids });
    await this.answered;
    if (this.isDown) throw new PartnerUnavailable('down');
    return ids.flatMap(id => {
      const shown = this.scripts
        .get(id)
        ?.filter(([since]) => since <= now)
        .at(-1);
      return shown ? [partnerOrder({ id, ...shown[1] })] : [];
    });
  }
}

const HAPPY: Script = [
  [0, { status: 'waiting' }],
  [40 * SECOND, { status: 'confirming', payinHash: 'in', amountFrom: '0.1' }],
  [100 * SECOND, { status: 'exchanging', payinHash: 'in', amountFrom: '0.1' }],
  [120 * SECOND, { status: 'sending', payinHash: 'in', amountFrom: '0.1' }],
  [
    180 * SECOND,
    {
      status: 'finished',
      payinHash: 'in',
      payoutHash: 'out',
      amountFrom: '0.1',
      amountTo: '1820',
      networkFee: '1',
      totalFee: '2',
      apiExtraFee: '0.4',
    },
  ],
];

let tracking: Tracking;
beforeEach(() => {
  tracking = new Tracking();
  tracking.start();
});
afterEach(() => tracking.stop());

describe('an order is followed', () => {
  it('to its end, and is read once more then', async () => {
    await tracking.place('a', HAPPY);
    await tracking.advance(10 * MINUTE);
    expect(await tracking.history('a')).toEqual([
      'waiting',
      'ExchangePayinSeen',
      'confirming',
      'exchanging',
      'sending',
      'ExchangePayoutSent',
      'finished',
    ]);
    const end = tracking.readsOf('a').filter(time => time >= START + 195 * SECOND);
    expect(end).toHaveLength(1);
    expect(tracking.jobs.waiting.size).toBe(0);
  });

  it('until its payment is overdue, which our clock sees first', async () => {
    await tracking.place(
      'a',
      [
        [0, {}],
        [2 * HOUR, { status: 'overdue' }],
      ],
      20 * MINUTE,
    );
    await tracking.advance(4 * HOUR);
    expect(await tracking.history('a')).toEqual(['waiting', 'ExchangeOrderExpiryPassed', 'overdue']);
  });

  it('when it is paid late, after days', async () => {
    await tracking.place('a', [
      [0, { status: 'overdue' }],
      [50 * HOUR, { status: 'confirming' }],
      [51 * HOUR, { status: 'finished' }],
    ]);
    await tracking.advance(60 * HOUR);
    expect(await tracking.history('a')).toEqual(['overdue', 'confirming', 'finished']);
  });

  it('as long as it is listed, also when the partner goes on to wait for its payment', async () => {
    await tracking.place('a', [
      [0, { status: 'waiting' }],
      [150 * HOUR, { status: 'confirming' }],
      [151 * HOUR, { status: 'finished' }],
    ]);
    await tracking.advance(160 * HOUR);
    expect(await tracking.history('a')).toEqual([
      'waiting',
      'ExchangeOrderExpiryPassed',
      'confirming',
      'finished',
    ]);
  });

  it('until the partner has answered, however long that takes', async () => {
    await tracking.place('a', [
      [0, { status: 'overdue' }],
      [HOUR, { status: 'finished' }],
    ]);
    await tracking.advance(MINUTE);
    tracking.isDown = true;
    await tracking.advance(8 * 24 * HOUR);
    tracking.isDown = false;
    await tracking.advance(2 * HOUR);
    expect(await tracking.history('a')).toEqual(['overdue', 'finished']);
  });

  it('until nothing can be expected any more', async () => {
    await tracking.place('a', [[0, {}]]);
    await tracking.place('b', [[0, { status: 'failed' }]]);
    await tracking.advance(8 * 24 * HOUR);
    expect(tracking.jobs.waiting.size).toBe(0);
  });

  it('when the partner does not know it for a while', async () => {
    await tracking.place('a', [[5 * MINUTE, { status: 'confirming' }]]);
    await tracking.advance(7 * MINUTE);
    expect(await tracking.history('a')).toEqual(['confirming']);
    expect(tracking.polls[0]!.outcome).toBe('unknown');
  });

  it('whatever the partner says of it', async () => {
    await tracking.place('a', [
      [0, { status: 'sending' }],
      [MINUTE, { status: 'waiting' }],
      [2 * MINUTE, { status: 'lost in space' }],
    ]);
    await tracking.advance(HOUR);
    expect(await tracking.history('a')).toEqual([
      'sending',
      'ExchangeOrderAnomalyObserved',
      'ExchangeOrderAnomalyObserved',
    ]);
    expect(tracking.jobs.waiting.size).toBe(1);
  });
});

describe('slots', () => {
  /** Of an order that waits for an hour. */
  const readsInAnHour = async (disturb: () => Promise<void> | void): Promise<number[]> => {
    await tracking.place('a', [[0, {}]]);
    await tracking.advance(20 * MINUTE);
    await disturb();
    await tracking.advance(40 * MINUTE);
    return tracking.readsOf('a');
  };
  let undisturbed: number[];
  beforeAll(async () => {
    tracking = new Tracking();
    tracking.start();
    undisturbed = await readsInAnHour(() => undefined);
    await tracking.stop();
  });

  it('are the same after a restart', async () => {
    const reads = await readsInAnHour(async () => {
      await tracking.stop();
      tracking.start();
    });
    expect(reads).toEqual(undisturbed);
  });

  it('are the same after the job engine has lost its jobs', async () => {
    const reads = await readsInAnHour(async () => {
      await tracking.stop();
      tracking.jobs = new VirtualJobs(tracking.jobs.now);
      for await (const job of trackingJobs(tracking.store, tracking.jobs.clock)) await tracking.jobs.add(job);
      tracking.start();
    });
    expect(reads).toEqual(undisturbed);
  });

  it('are those of one process when there are two', async () => {
    await tracking.stop();
    tracking.start(2);
    expect(await readsInAnHour(() => undefined)).toEqual(undisturbed);
  });

  it('are read once when their events are delivered again', async () => {
    const reads = await readsInAnHour(() => tracking.reactAgain());
    // The first slot is over, and therefore read at once.
    expect(reads.filter(time => !undisturbed.includes(time))).toEqual([START + 20 * MINUTE]);
    expect(tracking.jobs.waiting.size).toBe(1);
  });

  it('that were missed are skipped, not made up for', async () => {
    const reads = await readsInAnHour(() => {
      tracking.jobs.now += 20 * MINUTE;
    });
    const missed = undisturbed.filter(time => time > START + 20 * MINUTE && time <= START + 40 * MINUTE);
    expect(missed.length).toBeGreaterThan(10);
    const others = reads.filter(time => time < START + HOUR && !undisturbed.includes(time));
    expect(others).toEqual([START + 40 * MINUTE]);
    expect(tracking.polls.reduce((sum, { skipped }) => sum + skipped, 0)).toBeGreaterThan(10);
  });
});

it('an outage of the partner loses no order and repeats no slot', async () => {
  await tracking.place('a', HAPPY);
  await tracking.place('b', [[0, {}]]);
  await tracking.advance(20 * SECOND);
  tracking.isDown = true;
  const before = tracking.reads.length;
  await tracking.advance(30 * MINUTE);
  const during = tracking.reads.slice(before).flatMap(({ ids }) => ids);
  // Two orders, every 15 seconds for 10 minutes and then every minute.
  expect(during.length).toBeLessThan(2 * (40 + 20) * 1.3);
  expect(await tracking.history('a')).toEqual(['waiting']);
  tracking.isDown = false;
  await tracking.advance(72 * SECOND);
  expect(await tracking.history('a')).toEqual([
    'waiting',
    'ExchangePayinSeen',
    'ExchangePayoutSent',
    'finished',
  ]);
  expect(tracking.readsOf('b').at(-1)).toBeGreaterThan(START + 30 * MINUTE);
});

it('orders of one moment are read in batches', async () => {
  for (let n = 0; n < 200; n++) await tracking.place(`o${n}`, [[0, { status: 'overdue' }]]);
  await tracking.advance(MINUTE);
  await tracking.stop();
  tracking.reads.length = 0;
  // All are due at once after a standstill, and no batch has to go before it is full.
  tracking.start(1, 60_000);
  tracking.jobs.now += HOUR;
  await tracking.advance(0);
  expect(tracking.reads.map(({ ids }) => ids.length)).toEqual(Array.from({ length: 20 }, () => 10));
});

it('orders that are paid are read however many others wait for their payment', async () => {
  for (let n = 0; n < 60; n++) await tracking.place(`unpaid ${n}`, [[0, { status: 'waiting' }]]);
  await tracking.advance(20 * SECOND);
  await tracking.place('paid', [[0, { status: 'confirming' }]]);
  await tracking.advance(20 * SECOND);
  await tracking.stop();

  // All are due at once, and the partner is slow.
  let answer = (): void => undefined;
  tracking.answered = new Promise<void>(resolve => (answer = resolve));
  tracking.reads.length = 0;
  tracking.start();
  tracking.jobs.now += MINUTE;
  const advancing = tracking.advance(0);
  await until(() => tracking.readsOf('paid').length > 0);
  answer();
  await advancing;
});

const STATUSES = [
  'waiting',
  'confirming',
  'exchanging',
  'sending',
  'hold',
  'finished',
  'failed',
  'overdue',
  'refunded',
] as const;

it('whatever the partner does, each order is read until it has ended, at most so late as its interval says', async () => {
  const script = fc
    .array(fc.tuple(fc.integer({ min: 0, max: HOUR }), fc.constantFrom(...STATUSES)), {
      minLength: 1,
      maxLength: 6,
    })
    .map(steps => steps.sort(([a], [b]) => a - b).map(([age, status]) => [age, { status }] as const));
  const restarts = fc.array(fc.integer({ min: 1, max: HOUR / 4 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 3 }), restarts, async (scripts, pauses) => {
      const world = new Tracking();
      world.start();
      for (const [n, each] of scripts.entries()) await world.place(`o${n}`, each);
      for (const pause of pauses) {
        await world.advance(pause);
        await world.stop();
        world.start();
      }
      await world.advance(3 * HOUR);
      for (const [n] of scripts.entries()) {
        const reads = world.readsOf(`o${n}`);
        const last = (await world.history(`o${n}`)).filter(type => !type.startsWith('Exchange')).at(-1);
        const isEnded = last === 'finished' || last === 'refunded';
        const times = isEnded ? reads : [...reads, world.jobs.now];
        const gaps = times.map((time, i) => time - (times[i - 1] ?? START));
        const longest = last === 'failed' ? 6 * HOUR : 30 * MINUTE;
        expect(Math.max(...gaps)).toBeLessThanOrEqual(1.2 * longest);
        if (!isEnded) expect(world.jobs.waiting.size).toBeGreaterThan(0);
      }
      expect(world.polls.every(({ lagMs }) => lagMs === 0)).toBe(true);
      await world.stop();
    }),
    runs(2),
  );
});
