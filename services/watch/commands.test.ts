import { history } from '../../test/contracts/inputs';
import { InMemoryEventStoreDouble } from '../../test/doubles/event-store';
import { watchEvents } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { createWatch } from './commands';

const account: AccountRef = { chain: 'ton', network: 'mainnet', address: `-1:${'5'.repeat(64)}` };
const clock = () => new Date('2026-03-01T12:00:00.000Z');

async function recorded(store: InMemoryEventStoreDouble): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const events of store.readAll({ categories: ['watch'] })) all.push(...events);
  return all;
}

describe('watching an account', () => {
  it('is recorded once, however often it is asked for', async () => {
    const store = new InMemoryEventStoreDouble();
    const watch = createWatch({ store, clock });

    await Promise.all([watch(account), watch(account)]);
    await watch(account);

    const events = await recorded(store);
    expect(events).toMatchObject([
      { stream: `watch-ton:mainnet:${account.address}`, type: 'AccountWatched', data: account },
    ]);
    expect(store.reads).toBe(1);
  });

  it('is recorded once by two programs', async () => {
    const store = new InMemoryEventStoreDouble();
    await Promise.all([createWatch({ store, clock })(account), createWatch({ store, clock })(account)]);
    await createWatch({ store, clock })(account);
    expect(await recorded(store)).toHaveLength(1);
  });

  it('tells networks apart', async () => {
    const store = new InMemoryEventStoreDouble();
    const watch = createWatch({ store, clock });
    await watch(account);
    await watch({ ...account, network: 'testnet' });
    expect(await recorded(store)).toHaveLength(2);
  });

  it('tries again after a failure', async () => {
    const store = new InMemoryEventStoreDouble();
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('disk full'));
    const watch = createWatch({ store, clock });
    await expect(watch(account)).rejects.toThrow('disk full');
    store.append = append;
    await watch(account);
    expect(await recorded(store)).toHaveLength(1);
  });

  it('reads what version 1 has written', () => {
    const data = { chain: 'solana', network: 'devnet', address: '11111111111111111111111111111111' };
    const stored = history(['watch-x', { type: 'AccountWatched', data, metadata: { v: 1 } }])[0]!;
    expect(watchEvents.read(stored)).toMatchObject({ type: 'AccountWatched', data });
  });
});
