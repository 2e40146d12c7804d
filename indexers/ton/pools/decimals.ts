import { LRUCache } from 'lru-cache';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { Jetton } from '../../../contracts/chain/pool-prices';
import type { Clients } from '../../../contracts/observation/observation';
import { readJettonMaster } from '../observations/jetton-master';
import { tokenDocumentObservation } from '../observations/token-document';

/** TEP-64: of a jetton that does not say. */
const DEFAULT_DECIMALS = 9;

const TTL_MS = 600_000;
const MAX_CACHED = 10_000;

/** The decimals of a jetton; null when it is none, or its document, which may name them, cannot be read. */
export type ReadDecimals = (jetton: Jetton, seqno: number, signal: AbortSignal) => Promise<number | null>;

/** What jettons say of their decimals: on the chain, else in their document (TEP-64). */
export function createDecimals(clients: Clients): ReadDecimals {
  const cache = new LRUCache<string, { readonly decimals: number }>({ ...atMost(MAX_CACHED), ttl: TTL_MS });

  async function read(
    { network, master }: Jetton,
    seqno: number,
    signal: AbortSignal,
  ): Promise<number | null> {
    const found = await readJettonMaster(clients.ton(network), seqno, master);
    if (!found || found.content.kind === 'unreadable') return null;
    const { attributes, uri } = found.content;
    if (attributes.decimals !== null || uri === null) return attributes.decimals ?? DEFAULT_DECIMALS;
    const { data: document } = await tokenDocumentObservation.read(clients, uri, signal);
    return document && (document.decimals ?? DEFAULT_DECIMALS);
  }

  return async (jetton, seqno, signal) => {
    const key = `${jetton.network}/${jetton.master}`;
    const cached = cache.get(key);
    if (cached) return cached.decimals;
    const decimals = await read(jetton, seqno, signal);
    if (decimals !== null) cache.set(key, { decimals });
    return decimals;
  };
}
