import { CURSORS, loadCursor, storeCursor } from '../../indexers/solana/cursor';
import { SOLANA_INDEXER_STATE } from '../../indexers/solana/indexer';
import type { Commit } from '../../contracts/ports/documents';
import { InMemoryDocuments } from '../doubles/documents';

const FIRST = {
  finalized: { slot: 1, blockhash: 'one' },
  unfinalized: [],
  possiblyPublished: [],
};
const SECOND = { ...FIRST, finalized: { slot: 2, blockhash: 'two' } };

/** Documents as a writer leaves them that dies during a commit: it is complete once its checkpoint is read. */
class UnrecoveredDocuments extends InMemoryDocuments {
  isDying = false;
  private incomplete: Commit | null = null;

  override async commit(commit: Commit): Promise<void> {
    if (this.isDying) this.incomplete = commit;
    else await super.commit(commit);
  }

  override async checkpoint(name: string) {
    if (this.incomplete?.checkpoint?.name === name) await super.commit(this.incomplete);
    return super.checkpoint(name);
  }
}

test('a cursor that was half stored when its indexer died is loaded complete', async () => {
  const documents = new UnrecoveredDocuments();
  await documents.declare(SOLANA_INDEXER_STATE.collections);
  const first = await storeCursor(documents, 'mainnet', null, FIRST);
  documents.isDying = true;
  await storeCursor(documents, 'mainnet', first, SECOND);
  expect(await documents.get(CURSORS.name, 'mainnet')).toMatchObject({ revision: 0 });
  expect(await loadCursor(documents, 'mainnet')).toMatchObject({
    revision: 1,
    finalized: SECOND.finalized,
  });
});
