import { fenceOf, loadFrontier, storeFrontier } from '../../indexers/solana/frontier';
import type { Documents } from '../../contracts/ports/documents';
import { memoryDocuments } from './memory-ports';

const BEGUN = { genesis: 'g', finalized: { slot: 1, blockhash: 'one' }, open: [], ghosts: [] };
const STEP = { ...BEGUN, finalized: { slot: 2, blockhash: 'two' } };

/** Documents as a writer left them that died in the middle of a commit: shown whole once the checkpoint is asked for. */
const halfDone = (before: Documents, after: Documents): Documents => {
  let now = before;
  return {
    ...before,
    get: (collection, id) => now.get(collection, id),
    scan: (collection, query) => now.scan(collection, query),
    checkpoint: name => {
      if (name === fenceOf('mainnet')) now = after;
      return now.checkpoint(name);
    },
  };
};

test('the frontier of an indexer that died while storing it is the one it was storing', async () => {
  const [before, after] = [memoryDocuments(), memoryDocuments()];
  for (const documents of [before, after]) {
    const begun = await storeFrontier(documents, 'mainnet', null, BEGUN);
    if (documents === after) await storeFrontier(documents, 'mainnet', begun, STEP);
  }
  const found = await loadFrontier(halfDone(before, after), 'mainnet');
  expect(found).toMatchObject({ revision: 1, finalized: STEP.finalized });
});
