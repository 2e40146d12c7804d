import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../../../../test/command-line';
import { configCommand } from './config-command';

const { run, DATA_DIR } = commandLine(configCommand);
const config = async (...words: string[]) => JSON.parse(await run('--json', 'config', ...words)) as unknown;
const file = (content: unknown, name = 'content.json'): string => {
  const path = join(DATA_DIR, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const withTimeout = (txTimeout: unknown) => ({
  txTimeout,
  features: { swap: true },
  changelly: { minAmount: 31, minAmountCurrency: 'usd' },
});

test('publishes versions, shows what differs, and rolls back', async () => {
  const about = { document: 'app', network: 'mainnet' };
  // The mainnet is a local one, which names its contracts of USDe.
  expect(await config('show', 'app', 'mainnet')).toEqual({
    version: 0,
    content: {
      ...withTimeout(60),
      features: { swap: true, ethena: true },
      resources: {
        'staking.ethena.usdeMinter': 'EQAIb6KmdfdDR7CN1GBqVJuP25iCnLKCvBlJ07Evuu2dzP5f',
        'staking.ethena.tsUSDeMinter': 'EQDQ5UUyPHrLcQJlPAczd_fjxn8SLrlNQwolBznxCdSlfQwr',
        'staking.ethena.usdeVault': 'EQChGuD1u0e7KUWHH5FaYh_ygcLXhsdG2nSHPXHW8qqnpZXW',
      },
    },
  });
  expect(await config('set', 'app', 'mainnet', file(withTimeout(90)))).toEqual({
    ...about,
    version: 1,
    changed: true,
  });
  expect(await config('set', 'app', 'mainnet', file(withTimeout(90)))).toEqual({
    ...about,
    version: 1,
    changed: false,
  });
  expect(await config('set', 'app', 'mainnet', file(withTimeout(30)))).toMatchObject({ version: 2 });
  expect(await run('config', 'diff', 'app', 'mainnet', '1')).toBe(
    'version 1 to version 2\n- /txTimeout: 90\n+ /txTimeout: 30\n',
  );
  expect(await config('rollback', 'app', 'mainnet', '1')).toEqual({ ...about, version: 3, changed: true });
  expect(await config('show', 'app', 'mainnet')).toMatchObject({ version: 3, content: withTimeout(90) });
  expect(await config('show', 'app', 'mainnet', '2')).toMatchObject({ version: 2, content: withTimeout(30) });
  expect(await config('show', 'app', 'testnet')).toMatchObject({ version: 0 });
  const by = `cli:${userInfo().username}`;
  expect(await config('history', 'app', 'mainnet')).toMatchObject({
    versions: [
      { version: 1, restores: null, by },
      { version: 2, restores: null, by },
      { version: 3, restores: 1, by },
    ],
  });
});

test.each([
  [['set', 'app', 'mainnet', file(withTimeout('long'), 'long.json')], 'txTimeout: '],
  [['set', 'versions', 'mainnet', file(withTimeout(60))], 'ios: '],
  [['set', 'app', 'mainnet', file('{"txTimeout":', 'cut.json')], 'cut.json: '],
  [
    ['set', 'app', 'mainnet', file('{"txTimeout":60,"txTimeout":90,"changelly":{}}', 'twice.json')],
    'twice.json: the member "txTimeout" is there twice',
  ],
  [['set', 'app', 'mainnet', join(DATA_DIR, 'missing.json')], 'missing.json'],
  [['set', 'colors', 'mainnet', 'x.json'], 'document: '],
  [['show', 'app', 'devnet'], 'network: '],
  [['show', 'app', 'testnet', '7'], 'app of testnet has no version 7: the last one is 0'],
  [['rollback', 'app', 'testnet', '1'], 'There is no version 1'],
  [['rollback', 'app', 'testnet', 'first'], 'version: must be a number'],
])('refuses %j', async (words, why) => {
  await expect(config(...words)).rejects.toThrow(why);
});

test('names the standard input where that is no document, in one line', async () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    get: () => Readable.from([Buffer.from('x\n')]),
  });
  try {
    await expect(config('set', 'app', 'mainnet', '-')).rejects.toThrow(/^standard input: it is not JSON$/);
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
  }
});
