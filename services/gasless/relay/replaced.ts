import type { TonNetwork } from '../../../contracts/network/network';
import type { TonTransactions } from '../../../projections/ton/transactions/queries';
import { hexOf } from '../forks/taken-back';

/** Read at a time. */
const PAGE = 100;

interface RelayedMessage {
  readonly network: TonNetwork;
  /** Raw. */
  readonly relay: string;
  /** Of the relay wallet. */
  readonly seqno: number;
  /** Hex. */
  readonly messageHash: string;
  /** Unix seconds: it was signed after this. */
  readonly since: number;
}

/**
 * Whether a message of the relay wallet is in no block, and never will be, since another one has used its seqno: the key signs
 * elsewhere too. False while that is not known.
 */
export async function isReplaced(
  transactions: Pick<TonTransactions, 'page'>,
  { network, relay, seqno, messageHash, since }: RelayedMessage,
): Promise<boolean> {
  for (let from: string | undefined; ;) {
    const { transactions: page, hasMore } = await transactions.page(network, relay, { limit: PAGE, from });
    for (const entry of page) {
      if (entry.time < since) return false;
      const { walletSeqno, external } = entry.decoded();
      // What others send to the relay wallet has none.
      if (walletSeqno === null || walletSeqno > seqno) continue;
      return walletSeqno === seqno && !(external && hexOf(external.hash) === messageHash);
    }
    const next = page.at(-1)?.prev;
    if (next === undefined || !hasMore) return false;
    from = next;
  }
}
