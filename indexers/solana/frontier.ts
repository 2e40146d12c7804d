import type { SolanaNetwork } from '../../contracts/network';
import type { CollectionSpec, Document, Documents, Write } from '../../contracts/ports/documents';
import type { Told } from './messages';
import type { BlockRef } from './source';

/** A block that was published and may still be abandoned. */
export interface OpenBlock extends BlockRef {
  readonly told: readonly Told[];
}

/** How far the chain has been followed. */
export interface Frontier {
  /** Counts the steps that were stored: each expects the one before it. */
  readonly revision: number;
  readonly genesis: string;
  /** The last block that is published and final. */
  readonly finalized: BlockRef;
  /** The blocks after it, each the parent of the next; the last one is the frontier. */
  readonly open: readonly OpenBlock[];
  /** Blocks that a crash may have left published although the frontier never got there. */
  readonly ghosts: readonly OpenBlock[];
}

/** What lies beyond the frontier, written down with it for programs that do not run the indexer. */
export interface Outlook {
  /** The newest confirmed slot that the source told of; null before it told of any. */
  readonly newest: number | null;
  /** What keeps the frontier where it is. */
  readonly hole: { readonly slot: number; readonly reason: string } | null;
}

export const NO_OUTLOOK: Outlook = { newest: null, hole: null };

export function tipOf({ finalized, open }: Frontier): BlockRef {
  return open.at(-1) ?? finalized;
}

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
  readonly revision: number;
  readonly genesis: string;
  readonly finalized: { slot: number; blockhash: string };
  readonly tip: { slot: number; blockhash: string };
  readonly newest?: number | null;
  readonly hole?: { slot: number; reason: string } | null;
};
type BlockDocument = Document & {
  network: string;
  slot: number;
  blockhash: string;
  told: Told[] & Document[string];
};

/** Loads the frontier of a network; null when it has never been followed. */
export async function loadFrontier(documents: Documents, network: SolanaNetwork): Promise<Frontier | null> {
  // Whoever is shown the fence is shown the whole step: one that its writer died in would be read half done.
  await documents.checkpoint(fenceOf(network));
  const state = await documents.get<FrontierDocument>(FRONTIERS, network);
  if (!state) return null;
  const blocks: OpenBlock[] = [];
  const query = { filter: { network }, order: [['slot', 'asc']] as const, limit: 500 };
  for await (const page of documents.scan<BlockDocument>(BLOCKS, query))
    for (const { slot, blockhash, told } of page) blocks.push({ slot, blockhash, told });
  const { revision, genesis, finalized, tip } = state;
  return {
    revision,
    genesis,
    finalized,
    open: blocks.filter(({ slot }) => slot > finalized.slot && slot <= tip.slot),
    ghosts: blocks.filter(({ slot }) => slot > tip.slot),
  };
}

/** Where the indexer of a network stands, by what it has stored; null when it has never been followed. */
export async function loadStanding(
  documents: Documents,
  network: SolanaNetwork,
): Promise<(Outlook & { readonly frontier: number }) | null> {
  const state = await documents.get<FrontierDocument>(FRONTIERS, network);
  return state && { frontier: state.tip.slot, newest: state.newest ?? null, hole: state.hole ?? null };
}

/**
 * Stores the step from one frontier to another, or none of it: only what differs is written. Answers the frontier as it
 * is stored, with its revision.
 * @throws CheckpointMoved when the stored frontier is another than `from`: another process follows the network
 */
export async function storeFrontier(
  documents: Documents,
  network: SolanaNetwork,
  from: Frontier | null,
  step: Omit<Frontier, 'revision'>,
  outlook: Outlook = NO_OUTLOOK,
): Promise<Frontier> {
  const to: Frontier = { ...step, revision: (from?.revision ?? -1) + 1 };
  const before = new Map(blocksOf(from).map(block => [blockId(network, block), block]));
  const after = new Map(blocksOf(to).map(block => [blockId(network, block), block]));
  const writes: Write[] = [stateWrite(network, to, outlook)];
  for (const id of before.keys()) if (!after.has(id)) writes.push({ collection: BLOCKS, id, document: null });
  for (const [id, block] of after) {
    if (before.get(id) === block) continue;
    const { slot, blockhash, told } = block;
    const document = { _id: id, network, slot, blockhash, told: told as BlockDocument['told'] };
    writes.push({ collection: BLOCKS, id, document });
  }
  await documents.commit({
    writes,
    checkpoint: {
      name: fenceOf(network),
      value: { position: to.revision },
      expect: from && { position: from.revision },
    },
  });
  return to;
}

/** The checkpoint that goes with every step. */
export function fenceOf(network: SolanaNetwork): string {
  return `indexer-solana-${network}`;
}

const blocksOf = (frontier: Frontier | null): readonly OpenBlock[] =>
  frontier ? [...frontier.open, ...frontier.ghosts] : [];

const blockId = (network: SolanaNetwork, { slot, blockhash }: BlockRef): string =>
  `${network}/${slot}/${blockhash}`;

function stateWrite(network: SolanaNetwork, frontier: Frontier, { newest, hole }: Outlook): Write {
  const ref = ({ slot, blockhash }: BlockRef) => ({ slot, blockhash });
  const { revision, genesis, finalized } = frontier;
  const document: FrontierDocument = {
    _id: network,
    revision,
    genesis,
    finalized: ref(finalized),
    tip: ref(tipOf(frontier)),
    newest,
    hole: hole && { ...hole },
  };
  return { collection: FRONTIERS, id: network, document };
}
