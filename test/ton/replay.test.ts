import { join } from 'node:path';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_DEAD_LETTERS,
  TON_TRANSACTIONS,
  type TonDeadLetter,
} from '../../contracts/chain/ton';
import { replayTonDeadLetters } from '../../indexers/ton/dead-letters';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { temporaryFolder } from '../temporary-folder';
import { accountAt } from './scripted-chain';
import { strangeCell, transactionCell } from './transaction-cell';

const folder = temporaryFolder();

it('publishes dead letters that can be decoded now', async () => {
  const log = openSqliteLog({ path: join(folder, 'log.sqlite') });
  await log.declare([TON_TRANSACTIONS, TON_DEAD_LETTERS]);
  const account = accountAt(1);
  const script = { account, lt: 5n, prev: { lt: '0', hash: '' }, time: 1_700_000_000 };
  const dead = [transactionCell(script), strangeCell(script)].map((cell): TonDeadLetter => ({
    type: 'dead',
    version: 1,
    network: 'mainnet',
    account,
    lt: '5',
    hash: cell.hash().toString('base64'),
    seqno: 7,
    decoder: 0,
    reason: 'an older decoder did not know it',
    raw: cell.toBoc().toString('base64'),
  }));
  const key = `ton:mainnet:${account}`;
  await log.publish(
    TON_DEAD_LETTERS.name,
    dead.map(deadLetter => ({ key, value: encodeTonMessage(deadLetter) })),
  );
  const { signal } = new AbortController();
  expect(await replayTonDeadLetters(log, { network: 'testnet', signal })).toEqual({ read: 0, published: 0 });
  expect(await replayTonDeadLetters(log, { signal })).toEqual({ read: 2, published: 1 });
  const found: unknown[] = [];
  for (const partition of (await log.endOffsets(TON_TRANSACTIONS.name)).keys())
    for await (const { messages } of log.read({
      topic: TON_TRANSACTIONS.name,
      partition,
      from: 0,
      follow: false,
    }))
      found.push(...messages.map(({ value }) => decodeTonMessage(value)));
  expect(found).toEqual([
    expect.objectContaining({ type: 'transaction', lt: '5', seqno: 7, origin: 'tail' }),
  ]);
  await log.close();
});
