import type { SolanaNetwork } from '../contracts/network/network';
import {
  solanaNewestSource,
  type FoundInclusion,
  type SolanaTransactions,
} from '../projections/solana/transactions/queries';
import { ProjectionBehind } from '../projections/unreadable';
import type { Views } from '../projections/views';

export interface FinalInclusionDeps {
  readonly views: Pick<Views, 'waitForChange'>;
  readonly solana: Pick<SolanaTransactions, 'inclusion'>;
}

/** How long, and how often, to wait for the projection to fold the transaction. */
const WAIT_MS = 500;
const MAX_READS = 20;

/** Where a transaction of an account is final, once the documents have it so. @throws Error while they do not, after a bounded wait */
export async function finalInclusion(
  { solana, views }: FinalInclusionDeps,
  network: SolanaNetwork,
  address: string,
  signature: string,
): Promise<FoundInclusion> {
  for (let read = 1; read <= MAX_READS; read++) {
    const changed = views.waitForChange([solanaNewestSource(network, address)], WAIT_MS);
    const found = await solana.inclusion(network, address, signature).catch(nullWhileBehind);
    if (found?.finality === 'finalized') return found;
    await changed;
  }
  throw new Error(`transaction ${signature} is not in the documents yet`);
}

function nullWhileBehind(error: unknown): null {
  if (error instanceof ProjectionBehind) return null;
  throw error;
}
