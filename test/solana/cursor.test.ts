import { cursorCheckpoint, loadCursor, storeCursor } from '../../indexers/solana/cursor';
import type { Documents } from '../../contracts/ports/documents';
import { memoryDocuments } from './memory-ports';

const FIRST = {
  genesis: 'g',
  finalized: { slot: 1, blockhash: 'one' },
  unfinalized: [],
  possiblyPublished: [],
};
const SECOND = { ...FIRST, finalized: { slot: 2, blockhash: 'two' } };

/** Documents as a writer left them that died in the middle of a commit: complete once the checkpoint was read. */
const halfDone = (before: Documents, after: Documents): Documents => {
  let now = before;
  return {
    ...before,
    get: (collection, id) => now.get(collection, id),
    scan: (collection, query) => now.scan(collection, query),
    checkpoint: name => {
      if (name === cursorCheckpoint('mainnet')) now = after;
      return now.checkpoint(name);
    },
  };
};

test('a cursor that was half stored when its indexer died is loaded complete', async () => {
  const [before, after] = [memoryDocuments(), memoryDocuments()];
  for (const documents of [before, after]) {
    const first = await storeCursor(documents, 'mainnet', null, FIRST);
    if (documents === after) await storeCursor(documents, 'mainnet', first, SECOND);
  }
  const found = await loadCursor(halfDone(before, after), 'mainnet');
  expect(found).toMatchObject({ revision: 1, finalized: SECOND.finalized });
});
