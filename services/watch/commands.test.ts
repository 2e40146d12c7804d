import { history } from '../../test/contracts/builders';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { watchEvents } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { createWatch } from './commands';

const account: AccountRef = { chain: 'ton', network: 'mainnet', address: `-1:${'5'.repeat(64)}` };
const clock = () => new Date('2026-03-01T12:00:00.000Z');

async function recorded(store: InMemoryEventStore): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const events of store.readAll({ categories: ['watch'] })) all.push(...events);
  return all;
}

describe('watching an account', () => {
  it('is recorded once, however often it is requested', async () => {
    const store = new InMemoryEventStore();
    const readStream = jest.spyOn(store, 'readStream');
    const watch = createWatch({ store, clock });

    await Promise.all([watch(account), watch(account)]);
    await watch(account);

    const events = await recorded(store);
    expect(events).toMatchObject([
      { stream: `watch-ton:mainnet:${account.address}`, type: 'AccountWatched', data: account },
    ]);
    expect(readStream).toHaveBeenCalledTimes(1);
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
    const readStream = jest.spyOn(store, 'readStream');
    const watch = createWatch({ store, clock, maxCached: 2 });
    const at = (digit: string): AccountRef => ({ ...account, address: `0:${digit.repeat(64)}` });
    for (const digit of ['1', '2', '1', '3']) await watch(at(digit));
    expect(readStream).toHaveBeenCalledTimes(3);
    await watch(at('1'));
    expect(readStream).toHaveBeenCalledTimes(3);
    await watch(at('2'));
    expect(readStream).toHaveBeenCalledTimes(4);
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

  it('reads events of version 1', () => {
    const data = { chain: 'solana', network: 'devnet', address: '11111111111111111111111111111111' };
    const stored = history(['watch-x', { type: 'AccountWatched', data, metadata: { v: 1 } }])[0]!;
    expect(watchEvents.read(stored)).toMatchObject({ type: 'AccountWatched', data });
  });
});
