import { userInfo } from 'node:os';
import { commandLine } from '../../../../test/command-line';
import { warningsCommand } from './warnings-command';

const { run } = commandLine(warningsCommand);
const warn = async (...words: string[]) => JSON.parse(await run('--json', 'warnings', ...words)) as unknown;

const RAW = `0:${'07'.repeat(32)}`;
const MAINNET = 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';

test('warns of addresses, and no longer once they are removed', async () => {
  const spam = { network: 'mainnet', address: MAINNET, warning: 'spam' };
  expect(await warn('add', MAINNET, 'spam')).toEqual({ ...spam, changed: true });
  expect(await warn('add', RAW, 'spam')).toEqual({ ...spam, changed: false });
  expect(await warn('add', TESTNET, 'restrict_send')).toMatchObject({ network: 'testnet', changed: true });
  const by = `cli:${userInfo().username}`;
  expect(await warn('list')).toEqual({
    warnings: [
      { ...spam, at: expect.any(String) as string, by },
      {
        network: 'testnet',
        address: TESTNET,
        warning: 'restrict_send',
        at: expect.any(String) as string,
        by,
      },
    ],
  });
  expect(await warn('remove', MAINNET, 'spam')).toEqual({ ...spam, changed: true });
  expect(await warn('remove', MAINNET, 'spam')).toEqual({ ...spam, changed: false });
  expect(await run('warnings', 'list')).toMatch(
    /^NETWORK +ADDRESS +WARNING +SINCE +BY\ntestnet +kQ\S+ +restrict_send +\d{4}-\S+ +cli:\S+\n$/,
  );
});

test.each([
  [['add', 'nonsense', 'spam'], 'address: must be a TON address'],
  [['add', MAINNET, 'boring'], 'warning: '],
  [['add', MAINNET, 'spam', '--network', 'devnet'], 'network: '],
  [['add', TESTNET, 'spam', '--network', 'mainnet'], 'testnet only'],
])('refuses %j', async (words, why) => {
  await expect(warn(...words)).rejects.toThrow(why);
});
