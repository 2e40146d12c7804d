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
}

const HEX = /^[0-9a-f]{64}$/i;

/** Hexadecimal of a valid `hash256`. */
const toHex = (hash: string): string =>
  HEX.test(hash) ? hash.toLowerCase() : decodeAnyBase64(hash)!.toString('hex');

/**
 * Status of a sent message. Without a transaction it is reported as processing, since it may still be executed; with one
 * it is in progress until everything that the transaction caused is known.
 */
export function tonRoutes({ cached, transactionByHash, hashSource, transactions }: TonDeps): Binding[] {
  return [
    bind(tonTransactionStatus, async ({ params: { network }, body }) => {
      const hash = toHex(body.txHash);
      const found = await cached(
        { key: ['TON hash', network, hash], sources: [hashSource(network, hash)] },
        () => transactionByHash(network, hash),
      );
      if (!found) return { found: false, inProgress: true, status: 'processing' as const };
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
