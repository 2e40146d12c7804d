import { Address } from '@ton/core';
import { NETWORKS_OFF } from '../../../../test/local-networks';
import { featureSet } from '../../feature-set';
import { readConfigOf } from '../../settings/read-config';
import { gasless } from '../gasless';
import { relayerSettings } from './settings';

const KEY = 'ab'.repeat(32);
const MASTER = `0:${'1'.repeat(64)}`;
const JETTONS = JSON.stringify([{ master: MASTER, decimals: 6, perTon: '3.2' }]);
const REAL = { ...NETWORKS_OFF, TON_RPC_URL_TESTNET: 'http://127.0.0.1:1' };

const read = (settings: Record<string, string>) => readConfigOf(featureSet([gasless]), settings);

it('a real network has a relayer only where its key is set', () => {
  expect(relayerSettings(read(REAL), 'testnet')).toEqual({});
  // Its jettons may have been listed since an earlier start.
  expect(relayerSettings(read({ ...REAL, GASLESS_TESTNET_PRIVATE_KEY: KEY }), 'testnet')).toEqual({
    privateKey: KEY,
  });
  const set = { ...REAL, GASLESS_TESTNET_PRIVATE_KEY: KEY, GASLESS_TESTNET_JETTONS: JETTONS };
  expect(relayerSettings(read(set), 'testnet')).toMatchObject({
    privateKey: KEY,
    jettons: [{ decimals: 6 }],
  });
  expect(relayerSettings(read(set), 'mainnet')).toEqual({});
});

it.each<[string, Record<string, string>, string]>([
  ['jettons without a key', { GASLESS_TESTNET_JETTONS: JETTONS }, 'GASLESS_TESTNET_JETTONS'],
  [
    'a key and a file of one',
    {
      GASLESS_TESTNET_PRIVATE_KEY: KEY,
      GASLESS_TESTNET_PRIVATE_KEY_FILE: 'key',
      GASLESS_TESTNET_JETTONS: JETTONS,
    },
    'GASLESS_TESTNET_PRIVATE_KEY_FILE',
  ],
  [
    'a key of a network that is off',
    { GASLESS_MAINNET_PRIVATE_KEY: KEY, GASLESS_MAINNET_JETTONS: JETTONS },
    'GASLESS_MAINNET_PRIVATE_KEY',
  ],
  [
    'a jetton twice',
    {
      GASLESS_TESTNET_PRIVATE_KEY: KEY,
      GASLESS_TESTNET_JETTONS: JSON.stringify(
        [JETTONS, JETTONS].flatMap(each => JSON.parse(each) as object[]),
      ),
    },
    'GASLESS_TESTNET_JETTONS',
  ],
  [
    'a key beside the relayer of TonAPI',
    { GASLESS_RELAYER: 'tonapi', GASLESS_TESTNET_PRIVATE_KEY: KEY },
    'GASLESS_TESTNET_PRIVATE_KEY',
  ],
  [
    'a host of TonAPI whose answers others may change',
    { GASLESS_RELAYER: 'tonapi', GASLESS_TONAPI_URL_TESTNET: 'http://tonapi.example' },
    'GASLESS_TONAPI_URL_TESTNET',
  ],
  ['a relayer that nobody knows', { GASLESS_RELAYER: 'other' }, 'GASLESS_RELAYER'],
  [
    'a rate of nothing',
    {
      GASLESS_TESTNET_PRIVATE_KEY: KEY,
      GASLESS_TESTNET_JETTONS: JETTONS.replace('3.2', '0.0'),
    },
    'GASLESS_TESTNET_JETTONS',
  ],
])('%s stops the start', (_, settings, named) => expect(() => read({ ...REAL, ...settings })).toThrow(named));

it('a test-only address is refused for mainnet, by its entry', () => {
  const testOnly = Address.parseRaw(`0:${'2'.repeat(64)}`);
  const jettonsOf = (text: string) =>
    JSON.stringify([
      { master: MASTER, decimals: 6 },
      { master: text, decimals: 6 },
    ]);
  const mainnet = { ...NETWORKS_OFF, TON_RPC_URL_MAINNET: 'http://127.0.0.1:1' };
  const start = (text: string) => () =>
    read({ ...mainnet, GASLESS_MAINNET_PRIVATE_KEY: KEY, GASLESS_MAINNET_JETTONS: jettonsOf(text) });
  for (const bounceable of [true, false]) {
    const text = testOnly.toString({ testOnly: true, bounceable });
    expect(start(text)).toThrow(/GASLESS_MAINNET_JETTONS.*entry 2: [k0]Q\S+ is an address of testnet only/);
  }
  expect(start(testOnly.toString())).not.toThrow();
  const testnet = { ...REAL, GASLESS_TESTNET_PRIVATE_KEY: KEY };
  const JETTONS_OF_TESTNET = jettonsOf(testOnly.toString({ testOnly: true }));
  expect(() => read({ ...testnet, GASLESS_TESTNET_JETTONS: JETTONS_OF_TESTNET })).not.toThrow();
});

it('the key of TonAPI is not shown', () => {
  const settings = { ...REAL, GASLESS_RELAYER: 'tonapi', GASLESS_TONAPI_API_KEY: 'secret key' };
  expect(() => read(settings)).toThrow('GASLESS_TONAPI_API_KEY=[redacted]');
});

it('a key that is none is not shown', () => {
  const settings = { ...REAL, GASLESS_TESTNET_PRIVATE_KEY: `${KEY}00`, GASLESS_TESTNET_JETTONS: JETTONS };
  expect(() => read(settings)).toThrow('GASLESS_TESTNET_PRIVATE_KEY=[redacted]');
  expect(() => read(settings)).not.toThrow(KEY);
});
