import { join } from 'node:path';
import { encodeSolanaDeadLetter, SOLANA_DEAD_LETTERS } from '../../contracts/chain/solana';
import { encodeTonMessage, TON_DEAD_LETTERS, type TonDeadLetter } from '../../contracts/chain/ton';
import { commandLine } from '../../test/command-line';
import { accountAt } from '../../test/ton/scripted-chain';
import { strangeCell, transactionCell } from '../../test/ton/transaction-cell';
import { FEATURES } from '../program/features';
import { openSqliteLog } from '../engines/log/sqlite/sqlite-log';
import { deadLettersCommand } from './dead-letters';
import { statusCommand } from './status';

const { DATA_DIR, run } = commandLine(deadLettersCommand, statusCommand);
afterEach(() => (process.exitCode = undefined));

const account = accountAt(1);
const script = { account, lt: 5n, prev: { lt: '0', hash: '' }, time: 1_700_000_000 };
const dead = (network: 'mainnet' | 'testnet', cell = transactionCell(script)): TonDeadLetter => ({
  type: 'dead',
  version: 1,
  network,
  account,
  lt: '5',
  hash: cell.hash().toString('base64'),
  seqno: 7,
  decoder: 0,
  reason: 'an older decoder did not know it',
  raw: cell.toBoc().toString('base64'),
});
const letters = [dead('mainnet'), dead('mainnet', strangeCell(script)), dead('testnet')];

const ofSolana = {
  network: 'devnet',
  slot: 12,
  blockhash: 'hash',
  index: 3,
  reason: 'Error: transaction without meta',
  decoder: 1,
  raw: { meta: null },
} as const;

beforeAll(async () => {
  const log = openSqliteLog({ path: join(DATA_DIR, 'log.sqlite') });
  await log.declare(FEATURES.topics);
  await log.publish(SOLANA_DEAD_LETTERS.name, [
    { key: 'solana:devnet:12', value: encodeSolanaDeadLetter(ofSolana) },
  ]);
  for (const letter of letters)
    await log.publish(TON_DEAD_LETTERS.name, [{ key: account, value: encodeTonMessage(letter) }]);
  await log.close();
});

test('lists what could not be decoded, and why', async () => {
  const text = await run('dead-letters', 'list', '--limit', '2');
  expect(text.match(/an older decoder did not know it/g)).toHaveLength(2);
  expect(text).toContain('2 of 4 dead letters');
  expect(JSON.parse(await run('--json', 'dead-letters', 'list', '--network', 'testnet'))).toEqual({
    total: 1,
    letters: [{ chain: 'ton', ...letters[2] }],
  });
});

test('lists as many as `tidemark status` counts, those of Solana too', async () => {
  const status = JSON.parse(await run('--json', 'status')) as { deadLetters: number };
  const { total } = JSON.parse(await run('--json', 'dead-letters', 'list')) as { total: number };
  expect([status.deadLetters, total]).toEqual([4, 4]);
  expect(await run('dead-letters', 'list')).toMatch(
    /\nsolana +devnet +12 +index 3 +1 +Error: transaction without meta\n4 of 4 dead letters\n$/,
  );
  expect(JSON.parse(await run('--json', 'dead-letters', 'list', '--network', 'devnet'))).toEqual({
    total: 1,
    letters: [{ chain: 'solana', ...ofSolana }],
  });
});

test('replays those that can be decoded now, any number of times', async () => {
  const replay = ['--json', 'dead-letters', 'replay', '--network', 'mainnet'];
  expect(JSON.parse(await run(...replay))).toEqual({ read: 2, published: 1 });
  expect(JSON.parse(await run(...replay))).toEqual({ read: 2, published: 1 });
  expect(await run('dead-letters', 'replay')).toBe(
    '3 dead letters: 2 decoded and published, 1 still not decodable\n',
  );
});
