import { temporaryFolder } from '../../../test/temporary-folder';
import { claimDataDir } from '../../engines/data-dir-claim';
import { readConfig } from '../settings/config';
import { assertExistingData } from './existing-data';

const SERVERS = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:1',
  KAFKA_BROKERS: '127.0.0.1:1',
  MONGODB_URL: 'mongodb://127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  DATA_DIR: '/nowhere/data',
};
const keys = { setting: 'LEDGER_KEYS_FILE' };

describe('on servers, without a data folder', () => {
  it('a command that uses no keys runs, and one whose keys come from elsewhere', () => {
    assertExistingData(readConfig(SERVERS), {});
    assertExistingData(readConfig({ ...SERVERS, LEDGER_KEYS_FILE: '/run/keys/ledger.json' }), { keys });
  });

  it.each([
    ['whose setting is unset', {}, keys],
    ['that no setting can name', {}, {}],
    ['beside others that come from elsewhere', { LEDGER_KEYS_FILE: '/k' }, { setting: 'ERASURE_MASTER_KEY' }],
  ])('a command that uses keys %s is refused', (_keys, settings, of) => {
    const config = readConfig({ ...SERVERS, ...settings });
    expect(() => assertExistingData(config, { keys: of })).toThrow('there is no such folder');
  });
});

it('a file is not said to be a folder', () => {
  const check = () => assertExistingData(readConfig({ DATA_DIR: __filename }), {});
  expect(check).toThrow(`${JSON.stringify(__filename)}: it is not a folder. Set DATA_DIR`);
});

it('a folder that was emptied is said to be so, not to be new', () => {
  const DATA_DIR = temporaryFolder();
  const check = () => assertExistingData(readConfig({ DATA_DIR }), {});
  expect(check).toThrow('no program has ever run there');
  claimDataDir(DATA_DIR)();
  expect(check).toThrow(
    'it has no data, as after `tidemark reset`. The next start begins a new ledger there',
  );
});
