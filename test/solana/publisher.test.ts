import { decodeSolanaMessage } from '../../contracts/chain/solana';
import { loadFrontier, storeFrontier, type Frontier } from '../../indexers/solana/frontier';
import { createPublisher } from '../../indexers/solana/publisher';
import type { RawBlock } from '../../indexers/solana/raw';
import { memoryDocuments, memoryLog } from './memory-ports';
import { CheckpointMoved } from '../../contracts/ports/documents';
import { mentioning } from './raw-transactions';

const fresh: Omit<Frontier, 'revision'> = {
  genesis: 'g',
  finalized: { slot: 1, blockhash: 'b1' },
  open: [],
  ghosts: [],
};
const block = (slot: number, ...accounts: readonly string[]): RawBlock => ({
  slot,
  blockhash: `b${slot}`,
  previousBlockhash: `b${slot - 1}`,
  parentSlot: slot - 1,
  blockTime: null,
  transactions: [mentioning(`s${slot}`, ...accounts)],
});

async function fixture(...watched: readonly string[]) {
  const documents = memoryDocuments();
  const log = memoryLog();
  const scope = new Set(watched);
  await storeFrontier(documents, 'mainnet', null, fresh);
  return {
    documents,
    log,
    scope,
    /** As after a restart: from what is stored. */
    open: async () => {
      const frontier = (await loadFrontier(documents, 'mainnet'))!;
      return createPublisher({ network: 'mainnet', scope, log, documents, hooks: {}, frontier });
    },
    said: () =>
      log.messages.map(({ value }) => {
        const message = decodeSolanaMessage(value);
        return message.type === 'backfilled'
          ? ''
          : `${message.type} ${message.signature} to ${message.account}`;
      }),
  };
}

test('what is stored is where the next process goes on', async () => {
  const { open } = await fixture('A');
  const publisher = await open();
  await publisher.append(block(2, 'A'), 'confirmed');
  await publisher.append(block(3, 'B'), 'confirmed');
  await publisher.finalize(2);
  expect((await open()).frontier).toEqual(publisher.frontier);
  expect(publisher.frontier).toMatchObject({
    finalized: { slot: 2 },
    open: [{ slot: 3, told: [] }],
    ghosts: [],
  });
});

test('a final block makes its ancestors final', async () => {
  const { open, said } = await fixture('A');
  const publisher = await open();
  await publisher.append(block(2, 'A'), 'confirmed');
  await publisher.append(block(3, 'A'), 'finalized');
  expect(said()).toEqual(['transaction s2 to A', 'finalized s2 to A', 'transaction s3 to A']);
  expect((await open()).frontier).toMatchObject({ finalized: { slot: 3 }, open: [] });
});

test('whoever has joined when a block is told again is told of its end too', async () => {
  const { open, said, scope, documents } = await fixture('A');
  let commits = 0;
  documents.fault = () => ++commits === 2; // the intent is stored, the block told, the frontier not moved
  const first = await open();
  await expect(first.append(block(2, 'A', 'B'), 'confirmed')).rejects.toThrow('not stored');
  scope.add('B');
  await first.append(block(2, 'A', 'B'), 'confirmed');
  const second = await open();
  await second.abandonTip();
  expect(said().slice(-2)).toEqual(['rolled-back s2 to A', 'rolled-back s2 to B']);
  expect(second.frontier).toMatchObject(fresh);
});

test('of two that go on from one frontier, the second to store says nothing that would stand', async () => {
  const { open, said } = await fixture('A');
  const [left, right] = [await open(), await open()];
  await left.append(block(2, 'A'), 'confirmed');
  await left.append(block(3, 'A'), 'confirmed');
  await expect(right.append(block(2, 'A'), 'confirmed')).rejects.toThrow(CheckpointMoved);
  expect((await open()).frontier).toEqual(left.frontier);
  expect(said()).toEqual(['transaction s2 to A', 'transaction s3 to A']);

  const behind = await open();
  await left.finalize(2);
  await expect(behind.abandonTip()).rejects.toThrow(CheckpointMoved);
  expect(said().filter(text => text.startsWith('rolled-back'))).toEqual([]);
});
