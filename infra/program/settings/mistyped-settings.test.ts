import { readConfig, SETTINGS } from './config';
import { mistypedSettings, RENAMED_SETTINGS } from './mistyped-settings';

const faultsOf = (name: string): string[] => mistypedSettings([name], Object.keys(SETTINGS));

it.each([
  ['TON_RPC_URL_MAINET', 'TON_RPC_URL_MAINNET'],
  ['TON_RPC_URL_MIANNET', 'TON_RPC_URL_MAINNET'],
  ['TON_RPC_URL', 'TON_RPC_URL_MAINNET'],
  ['SOLANA_RPC_URL_MAINET', 'SOLANA_RPC_URL_MAINNET'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['DATADIR', 'DATA_DIR'],
  ['MONGO_URL', 'MONGODB_URL'],
])('names %s, which looks like %s', (name, meant) => {
  expect(faultsOf(name)).toEqual([`${name} is no setting: did you mean ${meant}?`]);
  expect(() => readConfig({ [name]: 'x' })).toThrow(`${name} is no setting: did you mean ${meant}?`);
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
  'REDIS_HOST',
  'KAFKA_HOME',
  'TIDEMARK_NOTE',
  'DATABASE_URL',
  'HTTP_PROXY',
])('says nothing of %s', name => {
  expect(faultsOf(name)).toEqual([]);
});

it('says nothing of a setting, and nothing of one that is empty', () => {
  expect(mistypedSettings(Object.keys(SETTINGS), Object.keys(SETTINGS))).toEqual([]);
  expect(() => readConfig({ TON_RPC_URL_MAINET: '' })).not.toThrow();
});

it.each(Object.entries(RENAMED_SETTINGS))('says what %s is called now', (name, now) => {
  expect(faultsOf(name)).toEqual([`${name} is called ${now} now`]);
  expect(Object.keys(SETTINGS)).toContain(now);
});
