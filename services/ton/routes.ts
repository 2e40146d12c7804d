import { Buffer } from 'node:buffer';
import { tonTransactionStatus } from '../../contracts/http/ton';
import type { TonNetwork } from '../../contracts/network';
import { bind, type Binding } from '../http/binding';

export interface TonDeps {
  /** Finds a transaction by its hash, or by either hash of the message it took in, as lower-case hexadecimal. */
  readonly transactionByHash: (
    network: TonNetwork,
    hash: string,
  ) => Promise<{
    readonly lt: string;
    readonly hash: string;
    readonly time: number;
    readonly success: boolean;
  } | null>;
}

const HEX = /^[0-9a-f]{64}$/i;

/** Hexadecimal of a hash in any of its spellings. Node reads both base64 alphabets. */
const hex = (hash: string): string =>
  HEX.test(hash) ? hash.toLowerCase() : Buffer.from(hash, 'base64').toString('hex');

/** Status of what a wallet has sent. A message that nobody has seen yet cannot be told from one that is on its way. */
export const tonRoutes = ({ transactionByHash }: TonDeps): Binding[] => [
  bind(tonTransactionStatus, async ({ params, body }) => {
    const found = await transactionByHash(params.network, hex(body.txHash));
    if (!found) return { found: false, inProgress: true, status: 'processing' as const };
    const { lt, hash, time, success } = found;
    return {
      found: true,
      inProgress: false,
      status: 'confirmed' as const,
      lt,
      hash,
      timestamp: time,
      success,
    };
  }),
];
