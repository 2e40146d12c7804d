import { randomUUID } from 'node:crypto';
import { PRICES_TOPIC } from '../../../../contracts/chain/prices';
import {
  gaslessHandoverEvents,
  gaslessHandoverStream,
  type GaslessHandoverEvent,
} from '../../../../contracts/events/gasless-handover';
import { NETWORKS_OFF } from '../../../../test/local-networks';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { identitiesOf, replaceIdentity } from '../../../../indexers/network-identity';
import { commandLine, runCommand } from '../../../../test/command-line';
import { withEngines } from '../../commands/with-engines';
import { readConfig } from '../../settings/config';
import { gaslessCommand } from './gasless-command';

const { run, DATA_DIR } = commandLine(gaslessCommand);
const MASTER = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const REAL = {
  ...NETWORKS_OFF,
  // Nothing answers there.
  TON_RPC_URL_MAINNET: 'http://127.0.0.1:9',
  GASLESS_MAINNET_PRIVATE_KEY: 'ab'.repeat(32),
  GASLESS_MAINNET_JETTONS: JSON.stringify([
    { master: MASTER, decimals: 6, perTon: '3.2' },
    { master: `0:${'1'.repeat(64)}`, decimals: 9 },
  ]),
};

const KEYLESS = { ...NETWORKS_OFF, TON_RPC_URL_MAINNET: REAL.TON_RPC_URL_MAINNET };
const LOCAL = { ...NETWORKS_OFF, TON_RPC_URL_MAINNET: 'local', LOCAL_NETWORK_PORT: '9' };

/** @param settings beside the data folder */
const gasless = async (settings: Record<string, string>, ...words: string[]) =>
  runCommand([gaslessCommand], () => readConfig({ DATA_DIR, LOG_LEVEL: 'fatal', ...settings }), [
    'gasless',
    ...words,
  ]);

it('a relayer is shown also while no node says what its wallet has', async () => {
  const text = await gasless(REAL, 'status');
  expect(text).toMatch(/^NETWORK +WALLET +BALANCE +FLOOR +IN MESSAGE +QUOTES +MINUTE +DAY +STATE\n/);
  expect(text).toMatch(
    /\nTON mainnet +UQ\S+ +unknown +1 +0 +0 +0 of 20 +0 of 1000 +its balance is not known: /,
  );
  expect(text).toContain('waiting to be sent on: 0; messages without an outcome: 0');
  expect(text).not.toContain('ab'.repeat(32));
});

it('jettons are shown with what a TON costs in them, and since when that is known', async () => {
  const config = readConfig({ DATA_DIR, LOG_LEVEL: 'fatal' });
  await withEngines(config, ({ engines: { log } }) => log.declare([PRICES_TOPIC]));
  const tokens = await gasless(REAL, 'tokens');
  const network = 'TON mainnet \\(real\\)';
  expect(tokens).toMatch(
    new RegExp(`\n${network} +${MASTER} +6 +3.2 +operator +- +named +unknown: no node answers\n`),
  );
  // Nobody has read its price.
  expect(tokens).toMatch(new RegExp(`\n${network} +EQ\\S+ +9 +unknown +prices +- +named +unknown`));
  expect(tokens).toMatch(/\nnamed: by a setting. No list is recorded, .*\n$/);
});

it('what an operator says of jettons counts from then on, and what settings name does not', async () => {
  const other = `0:${'1'.repeat(64)}`;
  expect(await gasless(REAL, 'tokens', 'pause', MASTER)).toBe(
    `${MASTER} of TON mainnet (real): paused, 6 decimals, 3.2 for a TON\n`,
  );
  expect(await gasless(REAL, 'tokens', 'pause', MASTER)).toMatch(/: is the same, paused, /);
  expect(await gasless(REAL, 'tokens', 'price', other, '4')).toMatch(/: listed, 9 decimals, 4 for a TON\n$/);
  expect(await gasless(REAL, 'tokens', 'price', other, '--by-prices')).toMatch(/as its pools say\n$/);
  expect(await gasless(REAL, 'tokens', 'remove', other)).toMatch(/: not listed\n$/);
  // The key of the relayer is where the program runs.
  expect(await gasless(KEYLESS, 'tokens', 'resume', MASTER)).toMatch(/: listed, /);
  expect(await gasless(KEYLESS, 'tokens')).toMatch(/ +6 +3.2 +operator +- +listed /);
  expect(await gasless(REAL, 'tokens', 'price', MASTER, '003.20')).toMatch(
    /: is the same, listed, .* 3.2 for/,
  );
  expect(await gasless(KEYLESS, 'tokens', 'pause', MASTER)).toMatch(/: paused, /);
  // By its settings another network has that name.
  await expect(gasless(LOCAL, 'tokens', 'pause', MASTER)).rejects.toThrow(
    'TON_RPC_URL_MAINNET: by it this is TON mainnet (local), and the data are of TON mainnet (real)',
  );
  await expect(gasless(REAL, 'tokens', 'remove', other)).rejects.toMatchObject({
    code: 'gasless_jetton_not_listed',
  });
  expect(await gasless(REAL, 'tokens')).toMatch(
    new RegExp(
      `^NETWORK.*\n.*\\(real\\) +${MASTER} +6 +3.2 +operator +- +paused +unknown: no node answers\n$`,
    ),
  );
  expect(await gasless(REAL, 'status')).not.toContain('no jetton is listed');
  await gasless(REAL, 'tokens', 'remove', MASTER);
  expect(await gasless(REAL, 'tokens')).toBe('no jettons\n');
});

it('a network without a relayer has no jettons to say anything of', async () => {
  for (const settings of [NETWORKS_OFF, { ...KEYLESS, DATA_DIR: temporaryFolder() }])
    await expect(gasless(settings, 'tokens', 'pause', MASTER)).rejects.toMatchObject({ code: 'gasless_off' });
});

it('the list of a real network is not changed by settings by which it is a local one', async () => {
  const folder = { DATA_DIR: temporaryFolder(), LOG_LEVEL: 'fatal' };
  await withEngines(readConfig(folder), async ({ engines: { documents } }) => {
    const identity =
      'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=:XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=';
    await documents.declare([identitiesOf('ton')]);
    await replaceIdentity({ chain: 'ton', network: 'mainnet', documents }, identity);
  });
  for (const words of [['pause'], ['add']])
    await expect(gasless({ ...LOCAL, ...folder }, 'tokens', ...words, MASTER)).rejects.toThrow(
      'the data are of TON mainnet (real)',
    );
});

it('a fault is named by what was typed', async () => {
  await expect(gasless(REAL, 'tokens', 'price', MASTER, '0')).rejects.toThrow(
    'per-ton: must be a positive decimal',
  );
  const master = `-1:${'3'.repeat(64)}`;
  await expect(gasless(REAL, 'tokens', 'add', '--', master)).rejects.toMatchObject({ code: 'not_ready' });
});

it('limits are those of the settings', async () => {
  const limits = JSON.parse(await run('--json', 'gasless', 'limits')) as object;
  expect(limits).toEqual({
    floor: '1',
    marginBasisPoints: 1_000,
    minCommissionUnits: '1',
    maxRateMinutes: 10,
    all: { perMinute: '20', perDay: '1000' },
    wallet: { perMinute: '1', perDay: '20' },
    source: { perMinute: '2', perDay: '50' },
  });
  const text = await gasless({ ...REAL, GASLESS_WALLET_TON_PER_DAY: '7' }, 'limits');
  expect(text).toMatch(/\neach wallet +1 +7\n/);
});

it('where no network has a relayer it says so', async () =>
  expect(await gasless(NETWORKS_OFF, 'status')).toBe('no relayers\n'));

it('transfers that were handed over to another relayer are shown by where they are', async () => {
  const about = { network: 'mainnet', wallet: `0:${'1'.repeat(64)}` } as const;
  const config = readConfig({ DATA_DIR, LOG_LEVEL: 'fatal' });
  await withEngines(config, async ({ engines: { store } }) => {
    for (const [seqno, taken] of [true, false, true].entries()) {
      const request = {
        ...about,
        seqno,
        bodyHash: `${seqno}`.repeat(64),
        at: `2026-11-2${seqno + 1}T12:00:00.000Z`,
      };
      const events: GaslessHandoverEvent[] = [
        { type: 'GaslessHandedOver', data: { ...request, hashes: [], validUntil: 1 } },
        { type: taken ? 'GaslessHandoverTaken' : 'GaslessHandoverRefused', data: request },
      ];
      await store.append(
        gaslessHandoverStream(request),
        'no_stream',
        events.map(event => gaslessHandoverEvents.write(event, randomUUID(), {})),
      );
    }
  });
  const text = await gasless({ ...NETWORKS_OFF, GASLESS_RELAYER: 'tonapi' }, 'status');
  expect(text).toContain('\nhanded over: taken 2, refused 1\n');
  expect(text).toContain('\nhanded over and in flight: 2, the oldest since 2026-11-21T12:00:00.000Z\n');
});
