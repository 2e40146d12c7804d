import { join } from 'node:path';
import { encodeTonMessage, TON_DEAD_LETTERS, type TonDeadLetter } from '../../contracts/chain/ton';
import { commandLine } from '../../test/command-line';
import { accountAt } from '../../test/ton/scripted-chain';
import { strangeCell, transactionCell } from '../../test/ton/transaction-cell';
import { openSqliteLog } from '../engines/log/sqlite/sqlite-log';
import { deadLettersCommand } from './dead-letters';

const { DATA_DIR, run } = commandLine(deadLettersCommand);

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

beforeAll(async () => {
  const log = openSqliteLog({ path: join(DATA_DIR, 'log.sqlite') });
  await log.declare([TON_DEAD_LETTERS]);
  for (const letter of letters)
    await log.publish(TON_DEAD_LETTERS.name, [{ key: account, value: encodeTonMessage(letter) }]);
  await log.close();
});

test('lists what could not be decoded, and why', async () => {
  const text = await run('dead-letters', 'list', '--limit', '2');
  expect(text.match(/an older decoder did not know it/g)).toHaveLength(2);
  expect(text).toContain('2 of 3 dead letters');
  expect(JSON.parse(await run('--json', 'dead-letters', 'list', '--network', 'testnet'))).toEqual({
    total: 1,
    letters: [letters[2]],
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
