import { userInfo } from 'node:os';
import { formatTonAddress } from '../../../../contracts/account/address';
import { commandLine } from '../../../../test/command-line';
import { serviceAddressesCommand } from './service-addresses-command';

const { run } = commandLine(serviceAddressesCommand);
const command = async (...words: string[]) =>
  JSON.parse(await run('--json', 'service-addresses', ...words)) as unknown;

const RAW = `0:${'ab'.repeat(32)}`;
const TON = formatTonAddress(RAW, 'mainnet');
const TEST_ONLY = formatTonAddress(RAW, 'testnet');
const SOLANA = 'So11111111111111111111111111111111111111112';

test('adds, changes and removes addresses of both chains, in any form', async () => {
  const ton = { network: 'ton mainnet', address: TON };
  expect(await command('add', RAW, 'holders', '--type', 'deposit')).toEqual({ ...ton, changed: true });
  expect(await command('add', TON, 'holders', '--type', 'deposit')).toEqual({ ...ton, changed: false });
  const icon = 'https://example.com/post.png';
  expect(await command('add', SOLANA, 'postcash', '--icon', icon)).toEqual({
    network: 'solana mainnet',
    address: SOLANA,
    changed: true,
  });
  expect(await command('remove', TEST_ONLY)).toEqual({
    network: 'ton testnet',
    address: TEST_ONLY,
    changed: false,
  });
  const by = { at: expect.any(String) as string, by: `cli:${userInfo().username}` };
  const solana = { network: 'solana mainnet', address: SOLANA, service: 'postcash', type: null, icon, ...by };
  expect(await command('list')).toEqual({
    addresses: [{ ...ton, service: 'holders', type: 'deposit', icon: null, ...by }, solana],
  });
  expect(await run('service-addresses', 'list')).toMatch(
    /^NETWORK +ADDRESS +SERVICE +TYPE +SINCE +BY\nton mainnet +EQ\S+ +holders +deposit/,
  );
  expect(await command('remove', TON)).toEqual({ ...ton, changed: true });
  expect(await command('list')).toEqual({ addresses: [solana] });
});

test.each([
  [['add', 'abc', 'holders'], 'address: must be an address'],
  [['add', TON, 'another'], 'service: '],
  [['add', TON, 'holders', '--type', 'x'.repeat(65)], 'type: '],
  [['add', TON, 'holders', '--icon', 'http://example.com/a.png'], 'icon: '],
  [['remove', ''], 'address: must be an address'],
])('refuses %j', async (words, why) => {
  await expect(command(...words)).rejects.toThrow(why);
});
