import type { SolanaNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import { Gap } from '../gap';
import { loadCursor, storeCursor, type Cursor } from './cursor';
import type { BlockHeader, BlockRef, SolanaSource } from './source';

/** Slots searched for the first block from a given slot on. */
const MAX_SEARCH = 500_000;

/**
 * The cursor to continue from: the stored one, after verifying the last final block of the source; or a new one before the
 * first block to publish, which is the one at `startAt` or, by default, the newest final one.
 * @throws Gap when the source has another block in its place: the network was reset
 */
export async function resumeCursor(
  documents: Documents,
  source: SolanaSource,
  network: SolanaNetwork,
  startAt?: number,
): Promise<Cursor> {
  const stored = await loadCursor(documents, network);
  if (stored) {
    await verifyBlock(source, network, stored.finalized);
    return stored;
  }
  const finalized = await firstBlock(source, startAt);
  return storeCursor(documents, network, null, { finalized, unfinalized: [], possiblyPublished: [] });
}

async function verifyBlock(
  source: SolanaSource,
  network: SolanaNetwork,
  { slot, blockhash }: BlockRef,
): Promise<void> {
  const outcome = await source.header(slot, 'finalized');
  // An absent block proves nothing: the node may lag or be pruned. The parent of the next block is checked anyway.
  if ('found' in outcome && outcome.found.blockhash !== blockhash)
    throw new Gap(
      slot,
      `the source has final block ${outcome.found.blockhash}, but ${blockhash} was indexed: the node is damaged, or its network was reset. Use a node that has the indexed block; after a reset run: tidemark networks verify --network solana:${network} --fix`,
    );
}

/** The block before the first one to publish: that at `startAt` or, by default, the newest final one. */
export async function firstBlock(source: SolanaSource, startAt?: number): Promise<BlockRef> {
  const from = startAt ?? (await source.slot('finalized'));
  const wanted = await source.header(from, 'finalized');
  if ('absent' in wanted && wanted.absent === 'pruned')
    throw new Error(`the source no longer has slot ${from}, where indexing starts`);
  const [first] = await source.slots(from, from + MAX_SEARCH - 1, 'finalized');
  const outcome = first === undefined ? null : await source.header(first, 'finalized');
  if (!outcome || 'absent' in outcome) throw new Error(`no final block from slot ${from} on`);
  return parentRef(outcome.found);
}

/** The genesis block has no parent and no transactions: indexing starts after it. */
const parentRef = ({ slot, blockhash, parentSlot, previousBlockhash }: BlockHeader): BlockRef =>
  slot === 0 ? { slot, blockhash } : { slot: parentSlot, blockhash: previousBlockhash };
