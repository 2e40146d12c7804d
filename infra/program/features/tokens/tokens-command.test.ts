import { userInfo } from 'node:os';
import { formatTonAddress } from '../../../../contracts/account/address';
import { commandLine } from '../../../../test/command-line';
import { tokensCommand } from './tokens-command';

const { run } = commandLine(tokensCommand);
const set = (...words: string[]) => run('--json', 'tokens', 'set', ...words);
const RAW = `0:${'ab'.repeat(32)}`;

test('says of tokens what they are, and lists them', async () => {
  const master = formatTonAddress(RAW, 'mainnet');
  expect(JSON.parse(await set(master, 'blacklist'))).toMatchObject({ network: 'mainnet', address: RAW });
  await set(master, 'whitelist');
  await set(formatTonAddress(RAW, 'testnet'), 'blacklist');
  await set(RAW, 'none', '--network', 'testnet');
  expect(JSON.parse(await run('--json', 'tokens', 'list'))).toMatchObject({
    tokens: [
      { network: 'mainnet', address: RAW, verification: 'whitelist', by: `cli:${userInfo().username}` },
    ],
  });
  expect(await run('tokens', 'list')).toMatch(
    new RegExp(`^NETWORK +MASTER +VERIFICATION +SINCE +BY\nmainnet +${master} +whitelist +\\d{4}-`),
  );
});

test.each([
  [['nobody', 'whitelist'], 'a TON address'],
  [[RAW, 'trusted'], 'verification'],
  [[formatTonAddress(RAW, 'testnet'), 'whitelist', '--network', 'mainnet'], 'network_mismatch'],
])('refuses %j', async (words, why) => {
  await expect(set(...words)).rejects.toThrow(why);
});
