import { Buffer } from 'node:buffer';
import { tonTransactionStatus } from '../../contracts/http/ton';
import type { TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';

export interface TonDeps {
  readonly answer: Views['answer'];
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
  /** Where it looks. */
  readonly hashSource: (network: TonNetwork, hash: string) => Source;
}

const HEX = /^[0-9a-f]{64}$/i;

/** Hexadecimal of a hash in any of its spellings. Node reads both base64 alphabets. */
const hex = (hash: string): string =>
  HEX.test(hash) ? hash.toLowerCase() : Buffer.from(hash, 'base64').toString('hex');

/** Status of what a wallet has sent. A message that nobody has seen yet cannot be told from one that is on its way. */
export function tonRoutes({ answer, transactionByHash, hashSource }: TonDeps): Binding[] {
  const status = async (network: TonNetwork, hash: string) => {
    const found = await transactionByHash(network, hash);
    if (!found) return { found: false, inProgress: true, status: 'processing' as const };
    const { lt, hash: of, time: timestamp, success } = found;
    return { found: true, inProgress: false, status: 'confirmed' as const, lt, hash: of, timestamp, success };
  };
  return [
    bind(tonTransactionStatus, ({ params: { network }, body }) => {
      const hash = hex(body.txHash);
      const question = { asked: ['TON status', network, hash], of: [hashSource(network, hash)] };
      return answer(question, () => status(network, hash));
    }),
  ];
}
