import { decodeAnyBase64 } from '../../contracts/encoding/base64';
import { tonTransactionStatus } from '../../contracts/http/ton/ton';
import type { TonNetwork } from '../../contracts/network/network';
import type { Source } from '../../contracts/ports/documents';
import type { TonTransactions } from '../../projections/ton/transactions/queries';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';

export interface TonDeps {
  readonly cached: Views['cached'];
  /** Finds a transaction by its hash, or by either hash of its external message, as lower-case hexadecimal. */
  readonly transactionByHash: (
    network: TonNetwork,
    hash: string,
  ) => Promise<{
    /** Raw. */
    readonly account: string;
    readonly lt: string;
    readonly hash: string;
    readonly time: number;
  } | null>;
  /** The source of `transactionByHash`. */
  readonly hashSource: (network: TonNetwork, hash: string) => Source;
  readonly transactions: Pick<TonTransactions, 'status' | 'sources'>;
  /** Finds what a relayer has taken on, by any hash of what was posted, as lower-case hexadecimal. */
  readonly relayedByHash: (network: TonNetwork, hash: string) => Promise<Relayed | null>;
}

/** A request that a relayer sends on in a message of its own. */
export interface Relayed {
  readonly outcome: 'open' | 'confirmed' | 'skipped' | 'bounced' | 'expired';
  /** Of the wallet, hash in base64; null while it has none, and where it refused the request. */
  readonly transaction: { readonly lt: string; readonly hash: string } | null;
}

const HEX = /^[0-9a-f]{64}$/i;

/** Hexadecimal of a valid `hash256`. */
const toHex = (hash: string): string =>
  HEX.test(hash) ? hash.toLowerCase() : decodeAnyBase64(hash)!.toString('hex');

const PROCESSING = { found: false, inProgress: true, status: 'processing' } as const;

/**
 * Status of a sent message. Without a transaction it is reported as processing, since it may still be executed; with one
 * it is in progress until everything that the transaction caused is known.
 */
export function tonRoutes(deps: TonDeps): Binding[] {
  const { cached, transactionByHash, hashSource, transactions, relayedByHash } = deps;
  return [
    bind(tonTransactionStatus, async ({ params: { network }, body }) => {
      const hash = toHex(body.txHash);
      const found = await cached(
        { key: ['TON hash', network, hash], sources: [hashSource(network, hash)] },
        () => transactionByHash(network, hash),
      );
      if (!found) {
        const relayed = await relayedByHash(network, hash);
        return relayed ? statusOfRelayed(deps, network, relayed) : PROCESSING;
      }
      const { account, lt, time: timestamp } = found;
      const status = await cached(
        { key: ['TON status', network, account, lt], sources: transactions.sources(network, account) },
        () => transactions.status(network, account, lt),
      );
      const known = { found: true, lt, hash: found.hash, timestamp };
      return status === null || status === 'pending'
        ? { ...known, inProgress: true, status: 'processing' as const }
        : { ...known, inProgress: false, status: 'confirmed' as const, success: status === 'success' };
    }),
  ];
}

/** What a relayer has taken on is in no message of its wallet: what became of it is what the relayer has seen. */
async function statusOfRelayed(
  { transactionByHash }: Pick<TonDeps, 'transactionByHash'>,
  network: TonNetwork,
  { outcome, transaction }: Relayed,
) {
  if (outcome === 'open') return PROCESSING;
  const ended = { inProgress: false, status: 'confirmed', success: outcome === 'confirmed' } as const;
  if (!transaction) return { found: outcome !== 'expired', ...ended };
  // The wallet may not be watched, or removed since: then its time is not known.
  const known = await transactionByHash(network, toHex(transaction.hash));
  return { found: true, ...transaction, ...(known && { timestamp: known.time }), ...ended };
}
