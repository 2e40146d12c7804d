import type { TonNetwork } from '../../../contracts/network/network';
import type { RoundsDeps } from './deps';
import { observedRounds } from './known-rounds';

/** Masterchain blocks (seqno) by which a pool has changed what its members have; 0 where there is none. */
export interface PoolBlocks {
  /** After its newest round, which has changed the balance of all. */
  readonly round: number;
  /** Of its newest stake: its controller accepts deposits and withdrawals before it stakes. */
  readonly stake: number;
}

/** The operation by which a pool stakes through its proxy. */
const NEW_STAKE = 0x4e73744b;

/** Of the proxy: it has four in a round. */
const NEWEST = 20;

/** Null while the rounds are not all known. */
export async function readPoolBlocks(
  deps: Pick<RoundsDeps, 'views' | 'transactions' | 'rounds'>,
  network: TonNetwork,
  { pool, proxy }: { readonly pool: string; readonly proxy: string },
): Promise<PoolBlocks | null> {
  const rounds = await observedRounds(deps, network, { pool, proxy });
  if (!rounds) return null;
  const { transactions } = await deps.transactions.page(network, proxy, { limit: NEWEST });
  // Anybody may send the proxy anything.
  const stake = transactions.find(({ decoded }) => {
    const { inMessage } = decoded();
    return inMessage?.info.type === 'internal' && inMessage.info.src === pool && inMessage.op === NEW_STAKE;
  });
  return {
    round: rounds.findLast(({ pool }) => pool)?.pool?.after.seqno ?? 0,
    stake: stake?.seqno ?? 0,
  };
}
