import { FIRST_READS } from '../../contracts/quota';
import { quotaSetting } from '../../infra/config/settings';
import type { Feature } from '../../infra/program/feature';
import { watch, watchExpiry } from '../../infra/program/features/watch';
import { watchOf } from '../../infra/program/features/watch/account-watch';
import { countWatchedAccounts } from '../../projections/watch/watched-accounts';
import { expireWatches } from '../../services/watch/expire';
import { until } from '../until';
import { startPushProgram, type PushProgram } from './program';

/** Strangers who read accounts that they have made up, beside somebody who reads and registers. */

const MAX = 200;
const HOME = '203.0.113.7';

/** A double: the chain has one account that is used. */
const USED = `-1:${'5'.repeat(64)}`;
const chain: Feature = {
  name: 'chain',
  accountUse: {
    chain: 'ton',
    hasTransaction: async () => false,
    isOnChain: async (_clients, { address }) => address === USED,
  },
};

let program: PushProgram;
beforeEach(async () => {
  program = await startPushProgram(
    '2026-03-01T12:00:00.000Z',
    {
      TON_RPC_URL_MAINNET: 'http://127.0.0.1:9',
      MAX_WATCHED_ACCOUNTS: String(MAX),
      [quotaSetting(FIRST_READS)]: String(FIRST_READS.perMinute),
    },
    [watch, chain],
  );
});
afterEach(() => program.stop());

let accounts = 0;
const madeUp = (): string => `0:${(++accounts).toString(16).padStart(64, '0')}`;

/** The first read of an account. @returns whether it is watched */
const read = (ip: string, address = madeUp()): Promise<boolean> =>
  watchOf(program.deps)(
    { chain: 'ton', network: 'mainnet', address },
    { ip, appendHeader: () => undefined },
  ).then(
    () => true,
    () => false,
  );

/** As many as the limit of an address allows. */
const flood = async (ip: string): Promise<number> => {
  const reads = await Promise.all(Array.from({ length: FIRST_READS.perMinute }, () => read(ip)));
  return reads.filter(Boolean).length;
};

const watched = (): Promise<number> => countWatchedAccounts(program.deps.engine.views);

it('made-up accounts of a few strangers leave places for reads and for devices that register', async () => {
  for (let stranger = 1; stranger <= 8; stranger++) await flood(`192.0.2.${stranger}`);
  expect(await Promise.all([read(HOME), read(HOME)])).toEqual([true, true]);
  expect(await program.register(HOME, 'phone', { addresses: [madeUp()] })).toMatchObject({ status: 200 });
  expect(await flood('192.0.2.1')).toBe(0);
});

it('a device registers although strangers of many networks have taken all places', async () => {
  for (let stranger = 1; await read(`192.0.2.${stranger}`); stranger++) await flood(`192.0.2.${stranger}`);
  await until(async () => (await watched()) === MAX);
  expect(await read(HOME)).toBe(false);
  expect(await program.register(HOME, 'phone', { addresses: [madeUp()] })).toMatchObject({ status: 200 });
  await until(async () => (await watched()) === MAX + 1);
});

it('an hour later made-up accounts have left their places, not those that are used or registered', async () => {
  expect(await read(HOME, USED)).toBe(true);
  await program.register(HOME, 'phone', { addresses: [madeUp()] });
  for (let stranger = 1; await read(`192.0.2.${stranger}`); stranger++) await flood(`192.0.2.${stranger}`);
  await until(async () => (await watched()) === MAX);
  program.setClock('2026-03-01T13:15:00.000Z');
  await expireWatches(watchExpiry(program.deps), new AbortController().signal);
  await until(async () => (await watched()) === 2);
  expect(await read(HOME)).toBe(true);
});
