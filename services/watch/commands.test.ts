import { InMemoryEventStore } from '../../test/doubles/event-store';
import type { WithoutMetadata } from '../../contracts/decider';
import { watchStream } from '../../contracts/events/watch';
import { ALL_NETWORKS, type AccountRef } from '../../contracts/network/network';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { Problem } from '../../contracts/problem/problem';
import type { Reader } from '../watch-account';
import { createHandle } from '../commands/handle';
import { createWatch } from './commands';
import { watchKind, type WatchCommand } from './decider';
import { watchTimes } from './watch-times';

const account: AccountRef = { chain: 'ton', network: 'mainnet', address: `-1:${'5'.repeat(64)}` };
const at = (digit: string): AccountRef => ({ ...account, address: `0:${digit.repeat(64)}` });
const reader: Reader = { ip: '192.0.2.1', appendHeader: () => undefined };
const times = watchTimes(30);
const DAY_MS = 86_400_000;

let now: number;
const clock = () => new Date(now);
beforeEach(() => void (now = Date.parse('2026-03-01T12:00:00.000Z')));

async function recorded(store: InMemoryEventStore): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const events of store.readAll({ categories: ['watch'] })) all.push(...events);
  return all;
}

describe('watching an account', () => {
  it('is recorded once, however often it is requested', async () => {
    const store = new InMemoryEventStore();
    const watch = createWatch({ store, clock });

    expect(await Promise.all([watch(account), watch(account)])).toEqual([1, 1]);
    const readStream = jest.spyOn(store, 'readStream');
    expect(await watch(account)).toBe(1);

    expect(await recorded(store)).toMatchObject([
      {
        stream: `watch-ton:mainnet:${account.address}`,
        type: 'AccountWatched',
        data: { ...account, watch: 1, at: '2026-03-01T12:00:00.000Z' },
      },
    ]);
    expect(readStream).not.toHaveBeenCalled();
  });

  it('is recorded once by two processes', async () => {
    const store = new InMemoryEventStore();
    await Promise.all([createWatch({ store, clock })(account), createWatch({ store, clock })(account)]);
    await createWatch({ store, clock })(account);
    expect(await recorded(store)).toHaveLength(1);
  });

  it('distinguishes networks', async () => {
    const store = new InMemoryEventStore();
    const watch = createWatch({ store, clock });
    await watch(account);
    await watch({ ...account, network: 'testnet' });
    expect(await recorded(store)).toHaveLength(2);
  });

  it('is looked up again once it was evicted, the least recently used first', async () => {
    const store = new InMemoryEventStore();
    const watch = createWatch({ store, clock, maxCached: 2 });
    for (const digit of ['1', '2', '1', '3']) await watch(at(digit));
    const readStream = jest.spyOn(store, 'readStream');
    await watch(at('1'));
    expect(readStream).toHaveBeenCalledTimes(0);
    await watch(at('2'));
    expect(readStream).toHaveBeenCalledTimes(1);
    expect(await recorded(store)).toHaveLength(3);
  });

  it('is recorded after a failure', async () => {
    const store = new InMemoryEventStore();
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('disk full'));
    const watch = createWatch({ store, clock });
    await expect(watch(account)).rejects.toThrow('disk full');
    store.append = append;
    await watch(account);
    expect(await recorded(store)).toHaveLength(1);
  });

  it('is recorded again by a read a quarter of the time later, also by another process', async () => {
    const store = new InMemoryEventStore();
    const watch = createWatch({ store, clock, ...times });
    await watch(account);
    now += times.renewAfterMs - 1;
    expect(await createWatch({ store, clock, ...times })(account)).toBe(1);
    expect(await recorded(store)).toHaveLength(1);
    now += 1;
    expect(await watch(account)).toBe(1);
    expect(await watch(account)).toBe(1);
    expect(await recorded(store)).toMatchObject([
      { type: 'AccountWatched' },
      { type: 'WatchRenewed', data: { watch: 1, at: clock().toISOString() } },
    ]);
  });
});

describe('the first read of an account', () => {
  const refusal = new Problem('watch_limit_reached', 'too many');

  it('needs to be admitted, and no later one', async () => {
    const store = new InMemoryEventStore();
    const admit = jest.fn(async () => 'source');
    const watch = createWatch({ store, clock, admit, maxCached: 1 });
    for (const each of [account, at('1'), account]) await watch(each, reader);
    expect(admit).toHaveBeenCalledTimes(2);
  });

  it('is counted to the source of its reader, and one by the program itself to none', async () => {
    const store = new InMemoryEventStore();
    const admit = async (_account: AccountRef, { ip }: Reader) => `source of ${ip}`;
    const watch = createWatch({ store, clock, admit });
    await watch(account, reader);
    await watch(at('1'));
    expect(await recorded(store)).toMatchObject([
      { data: { source: 'source of 192.0.2.1' } },
      { data: { source: null } },
    ]);
  });

  it('that is refused leaves no event, and can be repeated', async () => {
    const store = new InMemoryEventStore();
    const admit = jest.fn(async () => 'source');
    const watch = createWatch({ store, clock, admit });
    admit.mockRejectedValueOnce(refusal);
    await expect(watch(account, reader)).rejects.toBe(refusal);
    expect(await recorded(store)).toEqual([]);
    expect(await watch(account, reader)).toBe(1);
  });

  it('is refused for one reader alone', async () => {
    const store = new InMemoryEventStore();
    const admit = async (_account: AccountRef, { ip }: Reader) => {
      if (ip === reader.ip) throw refusal;
      return 'source';
    };
    const watch = createWatch({ store, clock, admit });
    const results = await Promise.allSettled([
      watch(account, reader),
      watch(account, { ...reader, ip: '192.0.2.2' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('is refused on a network that is off, without an event', async () => {
    const store = new InMemoryEventStore();
    const watch = createWatch({ store, clock, followed: { ...ALL_NETWORKS, [account.chain]: [] } });
    await expect(watch(account, reader)).rejects.toMatchObject({ code: 'network_off', status: 404 });
    expect(await recorded(store)).toEqual([]);
  });

  it('by the program itself is always admitted', async () => {
    const store = new InMemoryEventStore();
    const watch = createWatch({ store, clock, admit: () => Promise.reject(refusal) });
    expect(await watch(account)).toBe(1);
  });

  it('is refused while the history of the account is being removed, before it costs anything, and works afterwards', async () => {
    const store = new InMemoryEventStore();
    const handle = createHandle({ store });
    const admit = jest.fn(async () => 'source');
    const watch = createWatch({ store, clock, admit, ...times });
    const command = async (what: WithoutMetadata<WatchCommand>): Promise<unknown> =>
      handle(watchKind, watchStream(account), {
        ...what,
        metadata: { now: clock().toISOString(), actor: 'test' },
      } as WatchCommand);
    await watch(account);
    now += 100 * DAY_MS;
    await command({ type: 'expire', account, ...times });
    await command({
      type: 'claimRemoval',
      account,
      worker: 'one',
      removeAfterMs: 0,
      claimMs: DAY_MS,
      graceMs: 0,
    });
    await expect(watch(account, reader)).rejects.toMatchObject({
      status: 503,
      code: 'not_ready',
      headers: { 'Retry-After': '5' },
    });
    await expect(watch(account)).rejects.toBeInstanceOf(Problem);
    expect(admit).not.toHaveBeenCalled();
    await command({ type: 'endRemoval', account, worker: 'one' });
    expect(await watch(account, reader)).toBe(2);
  });
});
