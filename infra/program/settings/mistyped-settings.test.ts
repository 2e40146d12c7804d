import { readConfig, SETTINGS } from './config';
import { lookalikeNamesOf, mistypedSettings } from './mistyped-settings';
import { FEATURES } from '../features';

const LOOKALIKES = lookalikeNamesOf(FEATURES);
const faultsOfAll = (names: readonly string[]): string[] =>
  mistypedSettings(names, Object.keys(SETTINGS), LOOKALIKES);
const faultsOf = (name: string): string[] => faultsOfAll([name]);

it.each([
  ['TON_RPC_URL_MAINET', 'TON_RPC_URL_MAINNET'],
  ['TON_RPC_URL_MIANNET', 'TON_RPC_URL_MAINNET'],
  ['TON_RPC_URL', 'TON_RPC_URL_MAINNET'],
  ['SOLANA_RPC_URL_MAINET', 'SOLANA_RPC_URL_MAINNET'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['DATADIR', 'DATA_DIR'],
  ['MONGO_URL', 'MONGODB_URL'],
  ['PROT', 'PORT'],
  ['HSOT', 'HOST'],
  ['PORTT', 'PORT'],
  ['PPORT', 'PORT'],
  ['HOOST', 'HOST'],
])('names %s, which looks like %s', (name, meant) => {
  expect(faultsOf(name)).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  expect(() => readConfig({ [name]: 'x' })).toThrow(`${name} is not a setting: did you mean ${meant}?`);
});

it.each([
  'PATH',
  'HOME',
  'HOSTNAME',
  'USER',
  'PORTS',
  'NODE_ENV',
  'NODE_OPTIONS',
  'npm_config_loglevel',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'XDG_DATA_DIRS',
  'EVENTSTORE_DB',
  'KAFKA_HOME',
  'KAFKA_HEAP_OPTS',
  'KAFKA_LISTENERS',
  'KAFKA_SERVICE_HOST',
  'KAFKA_PORT_9092_TCP_ADDR',
  'EVENTSTORE_CLUSTER_SIZE',
  'EVENTSTORE_INSECURE',
  'REDIS_SERVICE_PORT',
  'REDIS_PASSWORD',
  'RATE_LIMIT_SERVICE_HOST',
  'RATE_LIMIT_PORT',
  'RATE_LIMIT_PORT_80_TCP_PROTO',
  'SOLANA_VERSION',
  'SOLANA_METRICS_CONFIG',
  'JAVA_HOME',
  'POST',
  'HOSTS',
  'SPORT',
  'TIDEMARK_NOTE',
  'DATABASE_URL',
  'HTTP_PROXY',
])('says nothing of %s', name => {
  expect(faultsOf(name)).toEqual([]);
});

it.each([
  ['SOLANA_RPC_URL_TESTNET', 'there are SOLANA_RPC_URL_MAINNET, SOLANA_RPC_URL_DEVNET'],
  ['SOLANA_URL_MAINNET', '.env.example has all settings'],
  [
    'CHANGELLY_KEY',
    'there are CHANGELLY_URL, CHANGELLY_PRIVATE_KEY, CHANGELLY_PRIVATE_KEY_FILE, CHANGELLY_USER, CHANGELLY_PASSWORD',
  ],
  ['RATE_LIMIT_EVERYTHING', '.env.example has all settings'],
  ['INSTANCE_JWT_PUBLIC_KEY', '.env.example has all settings'],
])('refuses %s, which no other program is known to have', (name, hint) => {
  expect(faultsOf(name)).toEqual([
    `${name} is not a setting: ${hint}. If it is meant for another program, leave it out: env -u ${name}`,
  ]);
});

it.each([
  ['KAFKA_URL', 'KAFKA_BROKERS'],
  ['KAFKA_BOOTSTRAP_SERVERS', 'KAFKA_BROKERS'],
  ['REDIS_HOST', 'REDIS_URL'],
  ['MONGO_URI', 'MONGODB_URL'],
  ['EVENTSTORE_HOST', 'EVENTSTORE_URL'],
])('refuses %s while %s is not set, and is another program’s beside it', (name, meant) => {
  expect(faultsOf(name)).toEqual([
    `${name} is not a setting: did you mean ${meant}? If it is meant for another program, leave it out: env -u ${name}`,
  ]);
  expect(faultsOfAll([name, meant])).toEqual([]);
});

it('says nothing of a setting, and nothing of one that is empty', () => {
  expect(faultsOfAll(Object.keys(SETTINGS))).toEqual([]);
  expect(() => readConfig({ TON_RPC_URL_MAINET: '' })).not.toThrow();
});

it.each(Object.entries(LOOKALIKES.renamed))('says what %s is called now', (name, now) => {
  expect(faultsOf(name)).toEqual([`${name} is called ${now} now`]);
  expect(Object.keys(SETTINGS)).toContain(now);
});
