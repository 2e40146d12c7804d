import { watchStream } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { watchedAccountsProjection } from '../../projections/watch/watched-accounts';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import type { Views } from '../../projections/views';
import { createHandle } from '../commands/handle';
import { createWatch } from './commands';
import { watchKind } from './decider';
import { expireWatches } from './expire';
import { watchTimes } from './watch-times';

const DAY_MS = 86_400_000;
const times = watchTimes(4);
const account = (digit: string): AccountRef => ({
  chain: 'ton',
  network: 'mainnet',
  address: `0:${digit.repeat(64)}`,
});
const { signal } = new AbortController();

let store: InMemoryEventStore;
let now: number;
const clock = () => new Date(now);
beforeEach(() => {
  store = new InMemoryEventStore();
  now = Date.parse('2026-03-01T12:00:00.000Z');
});

const passDays = (days: number): void => void (now += days * DAY_MS);
/** The event types of the stream of an account. */
async function events(of: AccountRef): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of store.readStream(watchStream(of))) types.push(type);
  return types;
}

/** A double: the documents of the projection, folded from all events so far. */
function documents(
  events: readonly RecordedEvent[],
  { isOutdated = false } = {},
): Pick<Views, 'scan' | 'isOutdated'> {
  const folded = new Map<string, Document>();
  for (const event of events)
    for (const key of watchedAccountsProjection.touches(event)) {
      const document = watchedAccountsProjection.fold(folded.get(key.id) ?? null, event, key);
      if (document) folded.set(key.id, document);
      else folded.delete(key.id);
    }
  return {
    isOutdated: async () => isOutdated,
    async *scan<D extends Document>(_collection: string, { filter }: { filter?: unknown }) {
      const { readAt: due, ...equals } = filter as { readAt: { lte: string }; isConfirmed?: boolean };
      const isFound = ({ readAt, isConfirmed }: Document): boolean =>
        String(readAt) <= due.lte && (equals.isConfirmed === undefined || isConfirmed === equals.isConfirmed);
      yield [...folded.values()].filter(isFound) as unknown as D[];
    },
  };
}

const expire = (
  views = documents(store.stored.all),
  needed: readonly AccountRef[] = [],
  isUsed: (account: AccountRef) => Promise<boolean | null> = async () => false,
): Promise<number> => {
  const isNeeded = async ({ address }: AccountRef) => needed.some(each => each.address === address);
  return expireWatches({ views, handle: createHandle({ store }), clock, ...times, isNeeded, isUsed }, signal);
};

it('ends the watches that nobody has read for the time, and a quarter of it', async () => {
  const watch = createWatch({ store, clock, ...times });
  await watch(account('1'));
  await watch(account('2'));
  passDays(3);
  await watch(account('2'));
  passDays(1.9);
  await expire();
  expect(await events(account('1'))).toEqual(['AccountWatched']);
  passDays(0.1);
  await expire();
  expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchExpired']);
  expect(await events(account('2'))).toEqual(['AccountWatched', 'WatchRenewed']);
  expect(await expire()).toBe(0);
});

it('never ends one that was read within the time, although the read was not recorded', async () => {
  const watch = createWatch({ store, clock, ...times });
  await watch(account('1'));
  passDays(0.99);
  await watch(account('1'));
  passDays(4);
  await expire();
  expect(await events(account('1'))).toEqual(['AccountWatched']);
});

it('asks the stream where the documents are behind', async () => {
  const watch = createWatch({ store, clock, ...times });
  await watch(account('1'));
  const behind = documents([...store.stored.all]);
  passDays(4);
  await watch(account('1'));
  passDays(2);
  expect(await expire(behind)).toBe(1);
  expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchRenewed']);
});

it('ends a watch once, however many processes do so', async () => {
  await createWatch({ store, clock, ...times })(account('1'));
  passDays(9);
  await Promise.all([expire(), expire(), expire()]);
  expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchExpired']);
});

it('leaves an account that is watched again, with the next number, by every process', async () => {
  const [one, other] = [1, 2].map(() => createWatch({ store, clock, ...times }));
  await one!(account('1'));
  await other!(account('1'));
  passDays(9);
  await expire();
  expect(await other!(account('1'))).toBe(2);
  expect(await one!(account('1'))).toBe(2);
  expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchExpired', 'AccountWatched']);
});

it('renews one that is needed, until it is no longer', async () => {
  await createWatch({ store, clock, ...times })(account('1'));
  passDays(9);
  await expire(undefined, [account('1')]);
  expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchRenewed']);
  passDays(9);
  await expire();
  expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchRenewed', 'WatchExpired']);
});

it('ends none where no time is set', async () => {
  await createWatch({ store, clock, ...watchTimes(0) })(account('1'));
  passDays(10_000);
  const handle = createHandle({ store });
  const metadata = { now: clock().toISOString(), actor: 'test' };
  const command = { type: 'expire', account: account('1'), ...watchTimes(0), metadata } as const;
  expect(await handle(watchKind, watchStream(account('1')), command)).toMatchObject({ events: [] });
});

describe('an account that a stranger was the first to read', () => {
  const reader = { ip: '192.0.2.1', appendHeader: () => undefined };
  const admit = async () => 'source';
  const passMinutes = (minutes: number): void => void (now += minutes * 60_000);

  it('is watched for an hour after it was read, if it is not used', async () => {
    const watch = createWatch({ store, clock, ...times, admit });
    await watch(account('1'), reader);
    passMinutes(14);
    await watch(account('1'), reader);
    passMinutes(60);
    expect(await expire()).toBe(0);
    passMinutes(1);
    expect(await expire()).toBe(1);
    expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchExpired']);
    expect(await watch(account('1'), reader)).toBe(2);
  });

  it('is watched for as long as it is read, although it is not used', async () => {
    const watch = createWatch({ store, clock, ...times, admit });
    for (let read = 0; read < 20; read++) {
      expect(await watch(account('1'), reader)).toBe(1);
      passMinutes(59);
      expect(await expire()).toBe(0);
    }
  });

  it('costs few events, however long it is read, and is then watched for as long again as it was read', async () => {
    const long = watchTimes(30);
    const watch = createWatch({ store, clock, ...long, admit });
    for (let hours = 0; hours < 24; hours += 0.25) {
      await watch(account('1'), reader);
      passMinutes(15);
    }
    const isUsed = jest.fn(async () => false);
    const views = () => documents(store.stored.all);
    const deps = { handle: createHandle({ store }), clock, ...long, isNeeded: async () => false, isUsed };
    passMinutes(22 * 60);
    await expireWatches({ ...deps, views: views() }, signal);
    // Nor was a chain asked about it.
    expect(isUsed).not.toHaveBeenCalled();
    const recorded = await events(account('1'));
    expect(recorded.length).toBeLessThan(25);
    expect(recorded).not.toContain('WatchExpired');
    passMinutes(8 * 60);
    await expireWatches({ ...deps, views: views() }, signal);
    expect((await events(account('1'))).at(-1)).toBe('WatchExpired');
  });

  it('is watched no longer than one that is used, however long it was read', async () => {
    const watch = createWatch({ store, clock, ...times, admit });
    for (let reads = 0; reads < 2_000; reads++) {
      await watch(account('1'), reader);
      passMinutes(15);
    }
    passDays(5);
    await expire();
    expect((await events(account('1'))).at(-1)).toBe('WatchExpired');
  });

  it('is watched for long once it is used, or a device is registered for it', async () => {
    const watch = createWatch({ store, clock, ...times, admit });
    for (const digit of ['1', '2', '3']) await watch(account(digit), reader);
    passMinutes(75);
    const isUsed = async ({ address }: AccountRef) => address === account('1').address;
    await expire(undefined, [account('2')], isUsed);
    const kept = ['AccountWatched', 'WatchConfirmed'];
    expect(await events(account('1'))).toEqual(kept);
    expect(await events(account('2'))).toEqual(kept);
    expect(await events(account('3'))).toEqual(['AccountWatched', 'WatchExpired']);
    passDays(4);
    expect(await expire()).toBe(0);
    passDays(1);
    expect(await expire()).toBe(2);
  });

  it('is confirmed by a read as soon as it is known to be used, and its reads are then rarely recorded', async () => {
    const isUsed = jest.fn(async () => false);
    const watch = createWatch({ store, clock, ...times, admit, isUsed });
    await watch(account('1'), reader);
    passMinutes(15);
    await watch(account('1'), reader);
    isUsed.mockResolvedValue(true);
    for (let read = 0; read < 20; read++) {
      passMinutes(15);
      await watch(account('1'), reader);
    }
    expect(await events(account('1'))).toEqual([
      'AccountWatched',
      'WatchRenewed',
      'WatchRenewed',
      'WatchConfirmed',
    ]);
    expect(isUsed).toHaveBeenCalledTimes(2);
  });

  it('is watched for a day after it was read, while no node says whether it is used', async () => {
    const watch = createWatch({ store, clock, ...times, admit });
    await watch(account('1'), reader);
    passMinutes(24 * 60 - 1);
    await expire(undefined, [], async () => null);
    expect(await events(account('1'))).toEqual(['AccountWatched']);
    passMinutes(1);
    await expire(undefined, [], async () => null);
    expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchExpired']);
  });

  it('is not ended while the documents are those of an earlier version, which do not tell', async () => {
    await createWatch({ store, clock, ...times, admit })(account('1'), reader);
    passMinutes(75);
    await expire(documents([...store.stored.all], { isOutdated: true }));
    expect(await events(account('1'))).toEqual(['AccountWatched']);
  });

  it('is not ended by a process that has not seen yet that another has confirmed it', async () => {
    const watch = createWatch({ store, clock, ...times, admit });
    await watch(account('1'), reader);
    const behind = documents([...store.stored.all]);
    passMinutes(75);
    await expire(undefined, [], async () => true);
    await expire(behind);
    expect(await events(account('1'))).toEqual(['AccountWatched', 'WatchConfirmed']);
  });
});
