import { findWatch } from '../../indexers/watches';
import type { Feature } from '../../infra/program/feature';
import { watch, watchExpiry } from '../../infra/program/features/watch';
import { watchOf } from '../../infra/program/features/watch/account-watch';
import { countWatchedAccounts } from '../../projections/watch/watched-accounts';
import { expireWatches } from '../../services/watch/expire';
import { WATCH_RETENTION } from '../../services/watch/retention';
import { applyIn } from '../apply-retention';
import { startPushProgram, type PushProgram } from '../push/program';
import { until } from '../until';

/** A double: nobody uses any account. */
const chain: Feature = {
  name: 'chain',
  accountUse: { chain: 'ton', hasTransaction: async () => false, isOnChain: async () => false },
};
const account = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` } as const;

const START = Date.now();
/** RFC 3339; the event store has the clock of the machine. */
const afterDays = (days: number): string => new Date(START + days * 86_400_000).toISOString();

let program: PushProgram;
beforeEach(async () => {
  const settings = { TON_RPC_URL_MAINNET: 'http://127.0.0.1:9' };
  program = await startPushProgram(afterDays(0), settings, [watch, chain]);
});
afterEach(() => program.stop());

const read = (): Promise<number> =>
  watchOf(program.deps)(account, { ip: '192.0.2.1', appendHeader: () => undefined });
const watched = (): Promise<number> => countWatchedAccounts(program.deps.engine.views);
const typesLeft = async (): Promise<string[]> => {
  const types: string[] = [];
  for await (const page of program.deps.engines.store.readAll({ categories: ['watch'] }))
    types.push(...page.map(({ type }) => type));
  return types;
};

it('of a watch that has ended long ago its end is left, so that the next one does not pass for the first', async () => {
  expect(await read()).toBe(1);
  await until(async () => (await watched()) === 1);
  program.setClock(afterDays(1));
  await expireWatches(watchExpiry(program.deps), new AbortController().signal);
  await until(async () => (await watched()) === 0);
  // The last event of a store is never deleted.
  const other = { ...account, address: `0:${'cd'.repeat(32)}` };
  await watchOf(program.deps)(other);

  program.setClock(afterDays(32));
  await applyIn(program, WATCH_RETENTION);
  expect(await typesLeft()).toEqual(['WatchExpired', 'AccountWatched']);
  expect(await findWatch(program.deps.engines.store, account)).toBeNull();
  expect(await read()).toBe(2);
  await until(async () => (await watched()) === 2);
  const { comparison } = await program.deps.engine.rebuild('watched-accounts', program.deps);
  expect(comparison).toMatchObject({ documents: 2, different: 0, inconclusive: 0 });
});
