import { ledger } from './ledger';
import { dataFolder, paid, until } from './program';
import { describeLiveProjections } from './suites/live';

describeLiveProjections('SQLite', dataFolder);

it('ends a wait for a part of a collection when that part changes, and not when others do', async () => {
  const folder = dataFolder();
  const { views, store, start } = folder.open({ projections: [ledger] });
  const pay = async (account: string): Promise<void> => {
    const { position } = await store.append(`account-${account}`, 'any', [paid(account, 1)]);
    expect(await views.waitForPosition('accounts', position, 60_000)).toBe(true);
  };
  start();
  await pay('a');
  let woken = 0;
  const waits = Array.from({ length: 300 }, () =>
    views.waitForChange([{ collection: 'accounts', part: 'b' }], 600_000).then(() => woken++),
  );
  for (let i = 0; i < 5; i++) await pay('a');
  expect(woken).toBe(0);
  await pay('b');
  await Promise.all(waits);
  expect(await views.get('accounts', 'b')).toMatchObject({ total: 1 });
  await folder.remove();
});

it('ends a wait at its time-out', async () => {
  const folder = dataFolder();
  const { views, start } = folder.open({ projections: [ledger] });
  start();
  await until(async () => (await views.count('accounts')) === 0);
  await views.waitForChange([{ collection: 'accounts', part: 'b' }], 20);
  await folder.remove();
});

it('ends a wait when its signal fires, also one that had fired before', async () => {
  const folder = dataFolder();
  const { views } = folder.open({ projections: [ledger] });
  const stopping = new AbortController();
  const wait = (): Promise<void> =>
    views.waitForChange([{ collection: 'accounts' }], 600_000, stopping.signal);
  const waiting = wait();
  stopping.abort();
  await Promise.all([waiting, wait()]);
  await folder.remove();
});
