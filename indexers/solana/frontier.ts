import type { SolanaNetwork } from '../../contracts/network';
import type { CollectionSpec, Document, Documents, Write } from '../../infra/documents/port';
import type { Told } from './messages';
import type { BlockRef } from './source';

/** A block that was published and may still be abandoned. */
export interface OpenBlock extends BlockRef {
  readonly told: readonly Told[];
}

/** How far the chain has been followed. */
export interface Frontier {
  readonly genesis: string;
  /** The last block that is published and final. */
  readonly finalized: BlockRef;
  /** The blocks after it, each the parent of the next; the last one is the frontier. */
  readonly open: readonly OpenBlock[];
  /** Blocks that a crash may have left published although the frontier never got there. */
  readonly ghosts: readonly OpenBlock[];
}

export const tipOf = ({ finalized, open }: Frontier): BlockRef => open.at(-1) ?? finalized;

const FRONTIERS = 'indexer-solana';
const BLOCKS = 'indexer-solana-blocks';

export const FRONTIER_COLLECTIONS: readonly CollectionSpec[] = [
  { name: FRONTIERS, indexes: [] },
  {
    name: BLOCKS,
    indexes: [
      {
        fields: [
          ['network', 'asc'],
          ['slot', 'asc'],
        ],
      },
    ],
  },
];

type FrontierDocument = Document & {
  readonly genesis: string;
  readonly finalized: { slot: number; blockhash: string };
  readonly tip: { slot: number; blockhash: string };
};
type BlockDocument = Document & {
  network: string;
  slot: number;
  blockhash: string;
  told: Told[] & Document[string];
};

/** Loads the frontier of a network; null when it has never been followed. */
export async function loadFrontier(documents: Documents, network: SolanaNetwork): Promise<Frontier | null> {
  const state = await documents.get<FrontierDocument>(FRONTIERS, network);
  if (!state) return null;
  const blocks: OpenBlock[] = [];
  const query = { filter: { network }, order: [['slot', 'asc']] as const, limit: 500 };
  for await (const page of documents.scan<BlockDocument>(BLOCKS, query))
    for (const { slot, blockhash, told } of page) blocks.push({ slot, blockhash, told });
  const { genesis, finalized, tip } = state;
  return {
    genesis,
    finalized,
    open: blocks.filter(({ slot }) => slot > finalized.slot && slot <= tip.slot),
    ghosts: blocks.filter(({ slot }) => slot > tip.slot),
  };
}

/** Stores the step from one frontier to another, or none of it: only what differs is written. */
export async function storeFrontier(
  documents: Documents,
  network: SolanaNetwork,
  from: Frontier | null,
  to: Frontier,
): Promise<void> {
  const before = new Map(blocksOf(from).map(block => [blockId(network, block), block]));
  const after = new Map(blocksOf(to).map(block => [blockId(network, block), block]));
  const writes: Write[] = [stateWrite(network, to)];
  for (const id of before.keys()) if (!after.has(id)) writes.push({ collection: BLOCKS, id, document: null });
  for (const [id, block] of after) {
    if (before.get(id) === block) continue;
    const { slot, blockhash, told } = block;
    const document = { _id: id, network, slot, blockhash, told: told as BlockDocument['told'] };
    writes.push({ collection: BLOCKS, id, document });
  }
  await documents.commit({ writes });
}

const blocksOf = (frontier: Frontier | null): readonly OpenBlock[] =>
  frontier ? [...frontier.open, ...frontier.ghosts] : [];

const blockId = (network: SolanaNetwork, { slot, blockhash }: BlockRef): string =>
  `${network}/${slot}/${blockhash}`;

function stateWrite(network: SolanaNetwork, frontier: Frontier): Write {
  const ref = ({ slot, blockhash }: BlockRef) => ({ slot, blockhash });
  const { genesis, finalized } = frontier;
  const document: FrontierDocument = {
    _id: network,
    genesis,
    finalized: ref(finalized),
    tip: ref(tipOf(frontier)),
  };
  return { collection: FRONTIERS, id: network, document };
}
