import { SOLANA_NETWORKS, TON_NETWORKS } from '../../contracts/network';
import { FRONTIER_COLLECTIONS, loadStanding } from '../../indexers/solana/frontier';
import { loadCursor, TAIL_COLLECTIONS } from '../../indexers/ton/state';
import type { Documents } from '../../contracts/ports/documents';

export interface IndexerStanding {
  readonly indexer: string;
  /** Seqno or slot up to which everything is published. */
  readonly frontier: number;
  /** The newest block that the indexer knew of when it last wrote; null before it knew of any. */
  readonly tip: number | null;
  readonly hole: string | null;
}

/** Where the indexers stand, from what they have stored: for programs that do not run them. */
export async function indexerStandings(documents: Documents): Promise<IndexerStanding[]> {
  await documents.declare([...TAIL_COLLECTIONS, ...FRONTIER_COLLECTIONS]);
  const ton = TON_NETWORKS.map(async network => {
    const cursor = await loadCursor(documents, network);
    if (!cursor) return null;
    const { seqno: frontier, tip, hole } = cursor;
    return { indexer: `ton ${network}`, frontier, tip, hole: hole && `${hole.seqno}: ${hole.reason}` };
  });
  const solana = SOLANA_NETWORKS.map(async network => {
    const standing = await loadStanding(documents, network);
    if (!standing) return null;
    const { frontier, newest: tip, hole } = standing;
    return { indexer: `solana ${network}`, frontier, tip, hole: hole && `${hole.slot}: ${hole.reason}` };
  });
  return (await Promise.all([...ton, ...solana])).filter(standing => standing !== null);
}
