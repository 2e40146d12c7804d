import type { SolanaNetwork } from '../../contracts/network';
import type { Documents } from '../../contracts/ports/documents';
import { loadFrontier, storeFrontier, type Frontier } from './frontier';
import type { BlockHeader, BlockRef, SolanaSource } from './source';
import { WrongNetwork } from './wrong-network';

/** Slots looked through for the first block from a given slot on. */
const SEARCH = 500_000;

/**
 * The frontier to go on from: the stored one, once the source has shown the same genesis and the same last final
 * block; or a new one before the first block to publish, which is the one at `start` or, unsaid, the newest final one.
 * @throws WrongNetwork when the source tells of another chain than the one followed so far.
 */
export async function openFrontier(
  documents: Documents,
  source: SolanaSource,
  network: SolanaNetwork,
  start?: number,
): Promise<Frontier> {
  const stored = await loadFrontier(documents, network);
  const genesis = await source.genesisHash();
  if (stored) {
    if (stored.genesis !== genesis)
      throw new WrongNetwork(
        `${network} was followed from genesis ${stored.genesis}, the source has ${genesis}`,
      );
    await recognise(source, stored.finalized);
  }
  source.expectGenesis(genesis);
  if (stored) return stored;
  const fresh = { genesis, finalized: await beginning(source, start), open: [], ghosts: [] };
  return storeFrontier(documents, network, null, fresh);
}

async function recognise(source: SolanaSource, { slot, blockhash }: BlockRef): Promise<void> {
  const outcome = await source.header(slot, 'finalized');
  // Absent says nothing: the node may be behind, or may keep a few days only. The first block read must link anyway.
  if ('found' in outcome && outcome.found.blockhash !== blockhash)
    throw new WrongNetwork(`final block ${slot} was ${blockhash}, the source has ${outcome.found.blockhash}`);
}

async function beginning(source: SolanaSource, start: number | undefined): Promise<BlockRef> {
  const from = start ?? (await source.slot('finalized'));
  const wanted = await source.header(from, 'finalized');
  if ('absent' in wanted && wanted.absent === 'pruned')
    throw new Error(`the source no longer has slot ${from}, where the network was to be begun`);
  const [first] = await source.slots(from, from + SEARCH - 1, 'finalized');
  const outcome = first === undefined ? null : await source.header(first, 'finalized');
  if (!outcome || 'absent' in outcome) throw new Error(`no final block from slot ${from} on to begin at`);
  return parentRef(outcome.found);
}

/** The genesis block has no parent and no transactions: it is begun after. */
const parentRef = ({ slot, blockhash, parentSlot, previousBlockhash }: BlockHeader): BlockRef =>
  slot === 0 ? { slot, blockhash } : { slot: parentSlot, blockhash: previousBlockhash };
