import pino from 'pino';
import { accountKey } from '../../contracts/network/network';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import type { Views } from '../../projections/views';
import type { WalletRequestDocument } from '../../projections/wallet-requests/wallet-requests';
import { until } from '../../test/until';
import type { TonAccount } from '../../contracts/account/ton-account';
import { createRequestNotifier } from './notifier';

const account = (digit: string): TonAccount => ({
  chain: 'ton',
  network: 'mainnet',
  address: `0:${digit.repeat(64)}`,
});
const alice = account('a');
const bob = account('b');

/** A double of the documents: positions of the requests of each account, and a subscription notified by hand. */
function fixture() {
  const positions = new Map<string, Map<string, number>>();
  const reads: string[] = [];
  let notify: ((parts: ChangedParts) => void) | null = null;
  const state = { available: true, subscriptions: 0 };
  const views = {
    find: async (_collection: string, { filter, limit }: { filter: { account: string }; limit: number }) => {
      if (!state.available) throw new Error('no engine');
      reads.push(filter.account);
      const documents = [...(positions.get(filter.account) ?? [])]
        .map(([_id, position]) => ({ _id, position }))
        .sort((a, b) => b.position - a.position);
      return { documents: documents.slice(0, limit), next: null };
    },
    subscribe: (_collection: string, onChange: (parts: ChangedParts) => void) => {
      state.subscriptions += 1;
      notify = onChange;
      return () => void (state.subscriptions -= 1);
    },
  } as unknown as Pick<Views, 'find' | 'subscribe'>;
  const notifier = createRequestNotifier({ views, logger: pino({ level: 'silent' }) });
  const change = (of: TonAccount, id: string, position: number): void => {
    const key = accountKey(of);
    positions.set(key, (positions.get(key) ?? new Map<string, number>()).set(id, position));
  };
  const watch = (of: TonAccount) => {
    const received: (string | null)[] = [];
    const { ready, stop } = notifier.watch(of, changed =>
      received.push(...(changed?.map(({ _id }: WalletRequestDocument) => _id) ?? [null])),
    );
    return { received, ready, stop };
  };
  return { state, reads, change, watch, notify: (parts: ChangedParts) => notify!(parts) };
}
const of = (...accounts: readonly TonAccount[]) => new Set(accounts.map(accountKey));

it('notifies of what changes, in order and once, and not of what was there before', async () => {
  const { change, watch, notify } = fixture();
  change(alice, 'old', 1);
  const app = watch(alice);
  await app.ready;
  change(alice, 'second', 3);
  change(alice, 'first', 2);
  notify(of(alice));
  await until(() => app.received.length === 2);
  notify(of(alice));
  change(alice, 'old', 4);
  notify(null);
  await until(() => app.received.length === 3);
  expect(app.received).toEqual(['first', 'second', 'old']);
});

it('notifies of a change that is visible after a later one', async () => {
  const { change, watch, notify } = fixture();
  const app = watch(alice);
  await app.ready;
  change(alice, 'late', 9);
  notify(of(alice));
  await until(() => app.received.length === 1);
  change(alice, 'early', 8);
  notify(of(alice));
  await until(() => app.received.length === 2);
  expect(app.received).toEqual(['late', 'early']);
});

it('says so when more has changed than it notifies of one by one', async () => {
  const { change, watch, notify } = fixture();
  const app = watch(alice);
  await app.ready;
  for (let n = 0; n < 150; n++) change(alice, String(n), n);
  notify(of(alice));
  await until(() => app.received.length > 0);
  expect(app.received).toEqual([null]);
});

it('reads the accounts that a change names, once for all that watch them', async () => {
  const { change, watch, notify, reads, state } = fixture();
  const apps = [watch(alice), watch(alice), watch(alice), watch(bob)];
  await Promise.all(apps.map(({ ready }) => ready));
  reads.length = 0;
  change(alice, 'one', 1);
  notify(of(alice, account('c')));
  await until(() => apps.slice(0, 3).every(({ received }) => received.length === 1));
  expect(reads).toEqual([accountKey(alice)]);
  expect(state.subscriptions).toBe(1);
  for (const { stop } of apps) stop();
  apps[0]!.stop();
  expect(state.subscriptions).toBe(0);
});

it('notifies of what changed while it could not be read as soon as it can, and refuses who comes meanwhile', async () => {
  const { change, watch, notify, state } = fixture();
  const app = watch(alice);
  await app.ready;
  state.available = false;
  change(alice, 'one', 1);
  notify(of(alice));
  const refused = watch(bob);
  await expect(refused.ready).rejects.toThrow('no engine');
  refused.stop();
  state.available = true;
  await until(() => app.received.length === 1);
  const later = watch(bob);
  await later.ready;
  change(bob, 'two', 2);
  notify(of(bob));
  await until(() => later.received.length === 1);
});
