import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { formatTonAddress } from '../../../contracts/account/address';
import { LOCAL_NETWORKS } from '../../../test/local-networks';
import { ALL_NETWORKS } from '../../../contracts/network/network';
import { BILLING_SETTINGS } from '../features/billing/settings';
import { followedPools, ownedPools } from '../features/ton-contracts';
import { readConfig, SETTINGS } from './config';
import { followedNetworks } from '../../config/network-settings';
import { WrongSettings } from '../../config/settings';

/** An address of `5a` throughout. */
const friendly = formatTonAddress(`0:${'5a'.repeat(32)}`, 'mainnet');

const paymentsOf = (env: Record<string, string>) => readConfig(env).of(BILLING_SETTINGS).FEE_PAYMENTS;

describe('settings', () => {
  it('has a default for everything that must have a value', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      LOG_LEVEL: 'info',
    });
  });

  it('refuses an empty data folder: a script that has not set its variable means no other', () => {
    expect(() => readConfig({ DATA_DIR: '' })).toThrow('DATA_DIR is empty');
  });

  it('takes an empty value as unset', () => {
    expect(readConfig({ PORT: '' }).PORT).toBe(3000);
  });

  it('reads several URLs of one network', () => {
    expect(
      readConfig({ ...LOCAL_NETWORKS, TON_RPC_URL_MAINNET: 'https://a.example, https://b.example' })
        .TON_RPC_URL_MAINNET,
    ).toEqual(['https://a.example', 'https://b.example']);
  });

  it('refuses what is no URL, and says what may be there', () => {
    const wrong = { ...LOCAL_NETWORKS, TON_RPC_URL_MAINNET: 'https://a.example, nowhere' };
    expect(() => readConfig(wrong)).toThrow(
      'TON_RPC_URL_MAINNET="https://a.example,…": http or https URLs separated by commas, `local`, or `off`',
    );
  });

  it('has local networks beside real ones only when asked', () => {
    const { SOLANA_RPC_URL_DEVNET, ...others } = LOCAL_NETWORKS;
    const real = { TON_RPC_URL_MAINNET: 'https://a.example' };
    expect(readConfig(LOCAL_NETWORKS).of(SETTINGS)).toEqual(readConfig({}).of(SETTINGS));
    expect(() => readConfig({ ...others, ...real })).toThrow(
      /^SOLANA_RPC_URL_DEVNET is unset beside TON_RPC_URL_MAINNET: .*SOLANA_RPC_URL_DEVNET=https:.*SOLANA_RPC_URL_DEVNET=off.*SOLANA_RPC_URL_DEVNET=local\)$/,
    );
    expect(() => readConfig(real)).toThrow(
      /TESTNET(.|\n)*SOLANA_RPC_URL_MAINNET(.|\n)*SOLANA_RPC_URL_DEVNET/,
    );
    expect(readConfig({ ...others, SOLANA_RPC_URL_DEVNET, ...real })).toMatchObject({
      TON_RPC_URL_MAINNET: ['https://a.example'],
    });
  });

  it('can do without networks, beside real ones, local ones and none', () => {
    const off = {
      TON_RPC_URL_MAINNET: 'off',
      TON_RPC_URL_TESTNET: 'off',
      SOLANA_RPC_URL_MAINNET: 'off',
      SOLANA_RPC_URL_DEVNET: 'off',
    };
    const followed = (env: Record<string, string>) => followedNetworks(readConfig(env));
    expect(followed({})).toEqual(ALL_NETWORKS);
    expect(followed(off)).toEqual({ ton: [], solana: [] });
    expect(followed({ TON_RPC_URL_TESTNET: 'off', SOLANA_RPC_URL_DEVNET: 'off' })).toEqual({
      ton: ['mainnet'],
      solana: ['mainnet'],
    });
    expect(followed({ ...off, TON_RPC_URL_MAINNET: 'https://a.example' })).toEqual({
      ton: ['mainnet'],
      solana: [],
    });
  });

  it('takes no payments on a network that is off', () => {
    const way = { chain: 'ton', network: 'testnet', address: friendly, asset: 'native', currency: 'USD' };
    const FEE_PAYMENTS = JSON.stringify([way]);
    expect(() => readConfig({ FEE_PAYMENTS, TON_RPC_URL_TESTNET: 'off' })).toThrow(
      /^FEE_PAYMENTS=.*: nobody sees payments on TON testnet, which is off \(TON_RPC_URL_TESTNET=off\)$/,
    );
    expect(() => readConfig({ FEE_PAYMENTS, TON_RPC_URL_MAINNET: 'off' })).not.toThrow();
  });

  it('lets sources of prices be named where TON mainnet is not a local network', () => {
    const PRICE_SOURCES = 'okx,gate,bybit';
    expect(() => readConfig({ PRICE_SOURCES })).toThrow('a local network has its own market');
    expect(() => readConfig({ PRICE_SOURCES, TON_RPC_URL_MAINNET: 'off' })).not.toThrow();
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['LOG_LEVEL', 'loud'],
    ['INSTANCE_TIME_ZONE', 'Mars/Olympus'],
    ['TON_RPC_URL_MAINNET', 'ftp://a.example'],
    ['TON_RPC_URL_MAINNET', 'OFF'],
    ['SOLANA_RPC_URL_DEVNET', 'https://a.example,off'],
    ['INSTANCE_CURRENCY', 'usd'],
    ['CURRENCY_SCALE', '19'],
    ['CURRENCY_SCALE', '1.5'],
    ['VOID_REASON_REQUIRED', 'yes'],
    ['EVENTSTORE_URL', 'http://127.0.0.1:2113'],
    ['KAFKA_BROKERS', 'kafka'],
    ['MONGODB_URL', 'mongo:27017'],
    ['MONGODB_READS', 'nearest'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['MAX_WATCHED_ACCOUNTS', '-1'],
    ['WATCH_EXPIRY_DAYS', 'never'],
    ['RATE_LIMIT_FIRST_READS', 'many'],
    ['MAX_WAITING_READS', '1.5'],
    ['MAX_CONNECTIONS', '-1'],
    ['METRICS_PORT', '70000'],
    ['LOCAL_NETWORK_PORT', '65531'],
    ['TON_RPC_PORT_MAINNET', '-1'],
  ])('refuses %s=%s, naming the setting and the value', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(WrongSettings);
    expect(() => readConfig({ [name]: value })).toThrow(`${name}="${value}"`);
  });

  it.each([
    [{ DRAIN_SECONDS: '60' }, 'DRAIN_SECONDS="60": must be at most 10'],
    [{ DRAIN_SECONDS: 'a minute' }, 'DRAIN_SECONDS="a minute": must be a number'],
    [{ TRUSTED_PROXIES: '10.0.0.1' }, 'TRUSTED_PROXIES="10.0.0.1": how many proxies there are, such as 1'],
    [
      { RATE_LIMIT_CONTRACT_READS: '99' },
      'RATE_LIMIT_CONTRACT_READS="99": at least 100, as which one call may count, or 0 for no limit',
    ],
    [{ FEE_PAYMENTS: '[{}]' }, 'FEE_PAYMENTS="[{}]": 0/chain: is missing'],
  ])('says of %j what is wrong with the value', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it('accepts payment methods, with normalised addresses, in the currency of the instance only', () => {
    const way = { chain: 'ton', network: 'mainnet', address: friendly, asset: 'native', currency: 'USD' };
    const read = (changed: object, more = {}) =>
      paymentsOf({ FEE_PAYMENTS: JSON.stringify([{ ...way, ...changed }]), ...more });
    expect(read({})).toEqual([{ ...way, address: `0:${'5a'.repeat(32)}`, decimals: 9 }]);
    expect(read({ currency: 'EUR' }, { INSTANCE_CURRENCY: 'EUR' })).toHaveLength(1);
    for (const wrong of [
      { currency: 'EUR' },
      { address: 'nowhere' },
      { chain: 'solana' },
      { asset: friendly },
      { decimals: 6 },
      { note: 'x' },
    ])
      expect(() => read(wrong)).toThrow('FEE_PAYMENTS');
    expect(() => readConfig({ FEE_PAYMENTS: 'tons' })).toThrow('FEE_PAYMENTS="tons": not JSON');
    expect(paymentsOf({})).toEqual([]);
  });

  it('accepts owned staking pools in any form, on a network that is on, where amounts are in TON', () => {
    const env = {
      OWNED_STAKING_POOLS_MAINNET: `${friendly}, 0:${'5A'.repeat(32)}`,
      INSTANCE_CURRENCY: 'TON',
    };
    const raw = `0:${'5a'.repeat(32)}`;
    expect(ownedPools(readConfig(env))).toEqual({ mainnet: [raw], testnet: [] });
    expect(followedPools(readConfig(env)).mainnet).toContain(raw);
    for (const [wrong, message] of [
      [{ INSTANCE_CURRENCY: 'EUR' }, 'INSTANCE_CURRENCY is EUR'],
      [{ TON_RPC_URL_MAINNET: 'off' }, 'TON_RPC_URL_MAINNET=off'],
      [{ OWNED_STAKING_POOLS_MAINNET: 'nowhere' }, 'OWNED_STAKING_POOLS_MAINNET="nowhere"'],
    ] as const)
      expect(() => readConfig({ ...env, ...wrong })).toThrow(message);
  });

  it('shows no secret of a wrong value', () => {
    const wrong = { EVENTSTORE_URL: 'http://admin:changeit@db:2113', KAFKA_SASL_MECHANISM: 'md5' };
    expect(() => readConfig(wrong)).toThrow('"http://[redacted]@db:2113"');
    for (const [value, shown] of [
      ['mongo://admin:ch@ngeit@db/ledger', 'mongo://[redacted]@db…'],
      ['mongo://admin:change/it@db', 'mongo://[redacted]@db'],
      ['mongodb//db/?key=changeit', 'mongodb…'],
    ])
      expect(() => readConfig({ MONGODB_URL: value })).toThrow(
        `MONGODB_URL="${shown}": must be a connection`,
      );
    expect(() => readConfig({ TON_RPC_URL_MAINNET: 'ftp://node.example/v4/changeit' })).toThrow(
      '"ftp://node.example…"',
    );
    expect(() => readConfig({ KAFKA_BROKERS: 'kafka://me:changeit@broker' })).toThrow(
      '"kafka://[redacted]@broker"',
    );
    expect(() => readConfig({ ERASURE_MASTER_KEY: 'too short' })).toThrow('ERASURE_MASTER_KEY=[redacted]');
    expect(() => readConfig({ INSTANCE_JWT_SECRET: 'too short' })).toThrow('INSTANCE_JWT_SECRET=[redacted]');
  });

  it('asks for the user and the password of SASL', () => {
    const half = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_USERNAME: 'me' };
    expect(() => readConfig(half)).toThrow(
      'KAFKA_PASSWORD=[redacted]: must be set with KAFKA_SASL_MECHANISM',
    );
  });

  it('asks for as many sources of prices as make one', () => {
    const named = (PRICE_SOURCES: string) => () =>
      readConfig({ ...LOCAL_NETWORKS, TON_RPC_URL_MAINNET: 'https://node.example/v4', PRICE_SOURCES });
    expect(named('okx,gate')).toThrow('okx and gate would never make a price');
    expect(named('okx,gate,bybit,coinbase')).toThrow('coinbase would never make a price');
    expect(named('okx,gate,okx')).toThrow('okx and gate would never make a price');
    expect(named('okx,gate,bybit')).not.toThrow();
    expect(named('coinbase,floatrates,frankfurter')).not.toThrow();
  });

  it.each([
    ['RATE_LIMIT_STORAGE_WRITES_PER_DAY', '256', '256'],
    ['RATE_LIMIT_STORAGE_WRITES_PER_DAY', '700', '700'],
    ['MAX_STORAGE_MEBIBYTES', '256', '1'],
    ['MAX_STORAGE_MEBIBYTES', '257', '2'],
    ['MAX_STORAGE_MEBIBYTES', '700', '4'],
  ])('asks for a %s in which one caller may write a value of %s KiB: %s', (name, kibibytes, min) => {
    const named = (value: string) => () => readConfig({ STORAGE_VALUE_KIBIBYTES: kibibytes, [name]: value });
    if (min !== '1')
      expect(named(String(Number(min) - 1))).toThrow(
        `${name}="${Number(min) - 1}": must be ${min} or more, or 0: one caller has a quarter`,
      );
    expect(named(min)).not.toThrow();
    expect(named('0')).not.toThrow();
  });

  it('documents every setting in .env.example but those of tests, and nothing else', () => {
    const example = readFileSync(join(__dirname, '..', '..', '..', '.env.example'), 'utf8');
    const documented = [...example.matchAll(/^#?\s?([A-Z][A-Z0-9_]+)=/gm)].map(match => match[1]);
    const settings = Object.keys(SETTINGS).filter(
      name => !(SETTINGS[name] as z.ZodType).meta()?.['forTests'],
    );
    expect(documented.sort()).toEqual(settings.sort());
  });
});

describe('the event store, in an environment that its server shares', () => {
  const url = 'esdb://db:2113?tls=false';

  it('has names that are no options of the server', () => {
    const { EVENTSTORE_URL, EVENTSTORE_PREFIX } = readConfig({
      EVENT_STORE_URL: url,
      EVENT_STORE_PREFIX: 'one',
    });
    expect([EVENTSTORE_URL, EVENTSTORE_PREFIX]).toEqual([url, 'one']);
  });

  it('is not given two values', () => {
    expect(() => readConfig({ EVENT_STORE_URL: url, EVENTSTORE_URL: 'esdb://other:2113' })).toThrow(
      'EVENT_STORE_URL is another name of EVENTSTORE_URL, which has another value',
    );
    expect(readConfig({ EVENT_STORE_URL: url, EVENTSTORE_URL: url }).EVENTSTORE_URL).toBe(url);
  });

  it('is checked under both', () => {
    expect(() => readConfig({ EVENT_STORE_URL: 'http://admin:s3cret@db' })).toThrow(
      /EVENTSTORE_URL="http:\/\/\[redacted\]@db": must be a connection string/,
    );
  });
});
