import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NETWORKS_OFF } from '../../../../../test/local-networks';
import { temporaryFolder } from '../../../../../test/temporary-folder';
import { walletV5 } from '../../../../../services/wallet-v5/wallet-v5';
import { readConfig } from '../../../settings/config';
import { anchorNetwork, openAnchorKeyFile } from './settings';

const REAL = 'https://ton.example.org';
const networkOf = (settings: Record<string, string>) =>
  anchorNetwork(readConfig({ ...NETWORKS_OFF, LOG_LEVEL: 'fatal', ...settings }));

it.each<[Record<string, string>, string | null]>([
  [{}, null],
  [{ TON_RPC_URL_MAINNET: 'local', TON_RPC_URL_TESTNET: 'local' }, 'testnet'],
  [{ TON_RPC_URL_MAINNET: 'local' }, 'mainnet'],
  [{ TON_RPC_URL_MAINNET: REAL }, null],
  // The head of what is billed on a real network is not sent to a local one unasked.
  [{ TON_RPC_URL_MAINNET: REAL, TON_RPC_URL_TESTNET: 'local' }, null],
  [{ TON_RPC_URL_MAINNET: REAL, TON_RPC_URL_TESTNET: 'local', LEDGER_ANCHOR_NETWORK: 'testnet' }, 'testnet'],
  [{ TON_RPC_URL_MAINNET: REAL, LEDGER_ANCHOR_NETWORK: 'mainnet' }, 'mainnet'],
  [{ TON_RPC_URL_TESTNET: 'local', LEDGER_ANCHOR_NETWORK: 'off' }, null],
])('with %j heads are sent to %s', (settings, network) => {
  expect(networkOf(settings)).toBe(network);
});

it('refuses a network that is off', () => {
  expect(() => networkOf({ LEDGER_ANCHOR_NETWORK: 'mainnet' })).toThrow(
    /LEDGER_ANCHOR_NETWORK.*TON_RPC_URL_MAINNET=off/,
  );
});

it('refuses a source of blocks that somebody on the way could change, and a key without one, which it does not show', () => {
  const real = { TON_RPC_URL_MAINNET: REAL, LEDGER_ANCHOR_NETWORK: 'mainnet' };
  expect(() => networkOf({ ...real, LEDGER_ANCHOR_BLOCKS_URL: 'http://blocks.example.org' })).toThrow(
    'LEDGER_ANCHOR_BLOCKS_URL',
  );
  for (const url of [
    'https://blocks.example.org?',
    'https://blocks.example.org/api?key=1',
    'https://blocks.example.org/#v2',
  ])
    expect(() => networkOf({ ...real, LEDGER_ANCHOR_BLOCKS_URL: url })).toThrow('LEDGER_ANCHOR_BLOCKS_URL');
  expect(networkOf({ ...real, LEDGER_ANCHOR_BLOCKS_URL: 'https://blocks.example.org/ton/' })).toBe('mainnet');
  const read = () => networkOf({ ...real, LEDGER_ANCHOR_BLOCKS_API_KEY: 'AbcdefG' });
  expect(read).toThrow('LEDGER_ANCHOR_BLOCKS_API_KEY=[redacted]: there is no LEDGER_ANCHOR_BLOCKS_URL');
  expect(networkOf({ ...real, LEDGER_ANCHOR_BLOCKS_URL: 'https://tonapi.io' })).toBe('mainnet');
});

it('creates the key of the wallet once, for its owner alone, and refuses a damaged one', async () => {
  const folder = temporaryFolder();
  for (const settings of [{ DATA_DIR: folder }, { LEDGER_ANCHOR_KEY_FILE: join(folder, 'other.json') }]) {
    const config = readConfig({ ...NETWORKS_OFF, LOG_LEVEL: 'fatal', ...settings });
    const file = 'DATA_DIR' in settings ? join(folder, 'keys', 'anchor.json') : join(folder, 'other.json');
    const accounts = [];
    for (let n = 0; n < 2; n++) {
      const { publicKey } = await openAnchorKeyFile(config);
      accounts.push(walletV5(publicKey, 'testnet').address.toRawString());
    }
    expect(accounts[1]).toBe(accounts[0]);
    expect(statSync(file).mode & 0o077).toBe(0);
    const { d } = JSON.parse(readFileSync(file, 'utf8')) as { d: string };
    writeFileSync(file, readFileSync(file, 'utf8').replace(d, d.slice(1)));
    const refused = await openAnchorKeyFile(config).catch(String);
    expect(refused).toContain(`${file}: not the key of a wallet`);
    expect(refused).not.toContain(d.slice(1));
  }
});
