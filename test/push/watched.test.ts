import { FIRST_READS } from '../../contracts/quota';
import { quotaSetting } from '../../infra/config/settings';
import { watch } from '../../infra/program/features/watch';
import { countWatchedAccounts } from '../../projections/watch/watched-accounts';
import { until } from '../until';
import { startPushProgram, type PushProgram } from './program';

/** Strangers who read accounts that they have made up, beside somebody who reads and registers. */

const MAX = 200;
const HOME = '203.0.113.7';

let program: PushProgram;
beforeEach(async () => {
  program = await startPushProgram(
    undefined,
    {
      TON_RPC_URL_MAINNET: 'http://127.0.0.1:9',
      MAX_WATCHED_ACCOUNTS: String(MAX),
      [quotaSetting(FIRST_READS)]: String(FIRST_READS.perMinute),
    },
    [watch],
  );
});
afterEach(() => program.stop());

let accounts = 0;
const madeUp = (): string => `0:${(++accounts).toString(16).padStart(64, '0')}`;

/** The first read of an account. @returns whether it is watched */
const read = (ip: string): Promise<boolean> =>
  program.deps
    .watch({ chain: 'ton', network: 'mainnet', address: madeUp() }, { ip, appendHeader: () => undefined })
    .then(
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
