import { decodeSolanaMessage } from '../../contracts/chain/solana';
import { loadCursor, storeCursor, type Cursor } from '../../indexers/solana/cursor';
import { createPublisher } from '../../indexers/solana/publisher';
import type { RawBlock } from '../../indexers/solana/raw';
import { CheckpointMoved } from '../../contracts/ports/documents';
import { SOLANA_INDEXER_STATE, SOLANA_TOPICS } from '../../indexers/solana/indexer';
import { FailingDocuments, failIf } from '../doubles/failing';
import { InMemoryLog } from '../doubles/log';
import { mentioning } from './raw-transactions';

const FIRST: Omit<Cursor, 'revision'> = {
  finalized: { slot: 1, blockhash: 'b1' },
  unfinalized: [],
  possiblyPublished: [],
};
const metrics = { published: () => undefined, deadLettered: () => undefined };
const block = (slot: number, ...accounts: readonly string[]): RawBlock => ({
  slot,
  blockhash: `b${slot}`,
  previousBlockhash: `b${slot - 1}`,
  parentSlot: slot - 1,
  blockTime: null,
  transactions: [mentioning(`s${slot}`, ...accounts)],
});

async function fixture(...watched: readonly string[]) {
  const documents = new FailingDocuments();
  const log = new InMemoryLog();
  const scope = new Set(watched);
  await documents.declare(SOLANA_INDEXER_STATE.collections);
  await log.declare(SOLANA_TOPICS);
  await storeCursor(documents, 'mainnet', null, FIRST);
  return {
    documents,
    log,
    scope,
    /** As after a restart: from the stored cursor. */
    open: async () => {
      const cursor = (await loadCursor(documents, 'mainnet'))!;
      return createPublisher({ network: 'mainnet', scope, log, documents, metrics, cursor });
    },
    published: () =>
      log.stored.all.map(({ value }) => {
        const message = decodeSolanaMessage(value);
        return message.type === 'backfilled' || message.type === 'removed'
          ? ''
          : `${message.type} ${message.signature} to ${message.account}`;
      }),
  };
}

test('the next process resumes at the stored cursor', async () => {
  const { open } = await fixture('A');
  const publisher = await open();
  await publisher.append(block(2, 'A'), 'confirmed');
  await publisher.append(block(3, 'B'), 'confirmed');
  await publisher.finalize(2);
  expect((await open()).cursor).toEqual(publisher.cursor);
  expect(publisher.cursor).toMatchObject({
    finalized: { slot: 2 },
    unfinalized: [{ slot: 3, published: [] }],
    possiblyPublished: [],
  });
});

test('a final block makes its ancestors final', async () => {
  const { open, published } = await fixture('A');
  const publisher = await open();
  await publisher.append(block(2, 'A'), 'confirmed');
  await publisher.append(block(3, 'A'), 'finalized');
  expect(published()).toEqual(['transaction s2 to A', 'finalized s2 to A', 'transaction s3 to A']);
  expect((await open()).cursor).toMatchObject({ finalized: { slot: 3 }, unfinalized: [] });
});

test('an account watched before a block is published again also gets its retraction', async () => {
  const { open, published, scope, documents } = await fixture('A');
  let commits = 0;
  documents.beforeCommit = failIf(() => ++commits === 2, 'not stored'); // the intent is stored, the block published, the cursor not moved
  const first = await open();
  await expect(first.append(block(2, 'A', 'B'), 'confirmed')).rejects.toThrow('not stored');
  scope.add('B');
  await first.append(block(2, 'A', 'B'), 'confirmed');
  const second = await open();
  await second.retractLast();
  expect(published().slice(-2)).toEqual(['rolled-back s2 to A', 'rolled-back s2 to B']);
  expect(second.cursor).toMatchObject(FIRST);
});

test('of two publishers with one cursor, the second to store publishes nothing new', async () => {
  const { open, published } = await fixture('A');
  const [left, right] = [await open(), await open()];
  await left.append(block(2, 'A'), 'confirmed');
  await left.append(block(3, 'A'), 'confirmed');
  await expect(right.append(block(2, 'A'), 'confirmed')).rejects.toThrow(CheckpointMoved);
  expect((await open()).cursor).toEqual(left.cursor);
  expect(published()).toEqual(['transaction s2 to A', 'transaction s3 to A']);

  const behind = await open();
  await left.finalize(2);
  await expect(behind.retractLast()).rejects.toThrow(CheckpointMoved);
  expect(published().filter(text => text.startsWith('rolled-back'))).toEqual([]);
});
