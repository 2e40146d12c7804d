import { pino } from 'pino';
import { OWNED_POOL_CATEGORY, ownedPoolEvents } from '../../../contracts/events/owned-pool';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { createHandle } from '../../commands/handle';
import type { ObservedRounds } from '../rounds/known-rounds';
import { keepShares, type KeepSharesDeps } from './keep-shares';

const POOL = `0:${'9'.repeat(64)}`;
const TON = 1_000_000_000n;
const BALANCE = 10n ** 15n;

/** @param pool undefined: it was not read yet */
const ended = (n: number, pool: 'known' | 'forgotten' | 'unread' = 'known', hash = 'aa'): ObservedRounds => {
  const funds = { seqno: n, profitPerCoin: '0', balance: String(BALANCE) };
  const known = {
    round: n,
    before: { ...funds, ownStake: String(10n ** 14n), sent: String(BALANCE), poolFee: 1_000 },
    after: { ...funds, lt: String(n) },
    election: null,
  };
  return {
    end: {
      network: 'mainnet',
      pool: POOL,
      lt: String(n),
      hash,
      time: 1_795_000_000 + n,
      returned: BALANCE + 152n * TON,
      demanded: 2n * TON,
    },
    pool: { known, forgotten: null, unread: undefined }[pool],
    at: null,
  };
};

let store: InMemoryEventStore;
let told: boolean[];
beforeEach(() => {
  store = new InMemoryEventStore();
  told = [];
});

type Look = readonly ObservedRounds[] | null | 'no pool';

/** Runs the worker until the last look. @param looks what is known of the rounds of the pool at each look */
async function run(...looks: readonly Look[]): Promise<void> {
  const stop = new AbortController();
  const handle = createHandle({ store });
  let look = 0;
  const deps = {
    views: {
      cached: async () => looks[look],
      subscribe: () => () => undefined,
      async waitForChange() {
        if (++look >= looks.length) stop.abort();
        await new Promise(setImmediate);
      },
    },
    transactions: { sources: () => [] },
    parties: { read: async () => ({ data: looks[look] === 'no pool' ? null : { proxy: 'proxy' } }) },
    rounds: { collection: 'rounds' },
    pools: { mainnet: [POOL], testnet: [] },
    networks: ['mainnet', 'testnet'],
    handle,
    clock: () => new Date('2026-11-20T12:00:00.000Z'),
    onLook: (_address: string, isPool: boolean) => void told.push(isPool),
    logger: pino({ level: 'silent' }),
  } as unknown as KeepSharesDeps;
  await keepShares(deps, stop.signal);
}

async function recorded(): Promise<string[]> {
  const found: string[] = [];
  for await (const page of store.readAll({ categories: [OWNED_POOL_CATEGORY] }))
    for (const event of page) {
      const { type, data } = ownedPoolEvents.read(event);
      found.push(`${type} ${data.lt} ${data.hash} ${data.share}`);
    }
  return found;
}

it('the share of each round is recorded once, however often it is looked at and started', async () => {
  await run([ended(1)], [ended(1)], [ended(1), ended(2)]);
  await run([ended(1), ended(2)], [ended(1), ended(2)]);
  expect(await recorded()).toEqual([
    'OwnerShareEarned 1 aa 13500000000',
    'OwnerShareEarned 2 aa 13500000000',
  ]);
});

it('two that see the same at once record it once', async () => {
  const look = [ended(1), ended(2)];
  await Promise.all([run(look), run(look)]);
  expect(await recorded()).toHaveLength(2);
});

it('what is not read yet waits, and what nodes have forgotten is left out', async () => {
  await run([ended(1, 'unread'), ended(2, 'forgotten')]);
  expect(await recorded()).toEqual([]);
  await run([ended(1), ended(2, 'forgotten')]);
  expect(await recorded()).toEqual(['OwnerShareEarned 1 aa 13500000000']);
});

it('a round that was taken back is retracted, and not while the history is not known whole', async () => {
  await run([ended(1), ended(2)], null, [ended(1), ended(2, 'unread')]);
  expect(await recorded()).toHaveLength(2);
  await run([ended(1), ended(2, 'known', 'bb')]);
  expect((await recorded()).slice(2)).toEqual([
    'OwnerShareRetracted 2 aa 13500000000',
    'OwnerShareEarned 2 bb 13500000000',
  ]);
});

it('tells whether there is a pool, and retracts nothing where there is none any more', async () => {
  await run([ended(1)], 'no pool');
  expect(told).toEqual([true, false]);
  expect(await recorded()).toHaveLength(1);
});
