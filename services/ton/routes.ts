import { decodeAnyBase64 } from '../../contracts/base64';
import { tonTransactionStatus } from '../../contracts/http/ton';
import type { TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';

export interface TonDeps {
  readonly cached: Views['cached'];
  /** Finds a transaction by its hash, or by either hash of its external message, as lower-case hexadecimal. */
  readonly transactionByHash: (
    network: TonNetwork,
    hash: string,
  ) => Promise<{
    readonly lt: string;
    readonly hash: string;
    readonly time: number;
    readonly success: boolean;
  } | null>;
  /** The source of `transactionByHash`. */
  readonly hashSource: (network: TonNetwork, hash: string) => Source;
}

const HEX = /^[0-9a-f]{64}$/i;

/** Hexadecimal of a valid `hash256`. */
const toHex = (hash: string): string =>
  HEX.test(hash) ? hash.toLowerCase() : decodeAnyBase64(hash)!.toString('hex');

/** Status of a sent message. Without a transaction it is reported as processing, since it may still be executed. */
export function tonRoutes({ cached, transactionByHash, hashSource }: TonDeps): Binding[] {
  const readStatus = async (network: TonNetwork, hash: string) => {
    const found = await transactionByHash(network, hash);
    if (!found) return { found: false, inProgress: true, status: 'processing' as const };
    const { lt, hash: of, time: timestamp, success } = found;
    return { found: true, inProgress: false, status: 'confirmed' as const, lt, hash: of, timestamp, success };
  };
  return [
    bind(tonTransactionStatus, ({ params: { network }, body }) => {
      const hash = toHex(body.txHash);
      const query = { key: ['TON status', network, hash], sources: [hashSource(network, hash)] };
      return cached(query, () => readStatus(network, hash));
    }),
  ];
}
