import type { Anchor, AnchorProof } from '../../contracts/ledger-tree/anchor';
import { createLiteserverApi } from '../../infra/engines/ton-blocks/liteserver-api';
import { createTonNodes } from '../../infra/engines/ton-nodes/ton-nodes';
import { placesByNodes } from '../../infra/program/features/ledger-tree/anchor/places-by-nodes';
import { provePlace } from '../../services/ledger-tree/anchor/place-proof';
import { silent } from '../devnet/ton';

export type BlockProof = Exclude<AnchorProof, { level: 'transaction' }>;

/**
 * Proves the place of a transaction as a program does, by the blocks of a local network.
 * @param url of the network
 * @throws why it is not proven in a block
 */
export async function provenPlace(url: string, transaction: Anchor['transaction']): Promise<BlockProof> {
  const { signal } = new AbortController();
  const identity = { check: () => Promise.resolve() };
  const nodes = createTonNodes({ urls: [url], identity, logger: silent, signal });
  const blocks = createLiteserverApi({ url, key: undefined, backoffMs: 50, signal });
  try {
    const { proof, fault } = await provePlace({ blocks, ...placesByNodes(nodes) }, transaction);
    if (proof && proof.level !== 'transaction') return proof;
    throw fault;
  } finally {
    await Promise.all([blocks.close(), nodes.close()]);
  }
}
