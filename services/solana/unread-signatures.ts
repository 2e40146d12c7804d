import { LRUCache } from 'lru-cache';
import type {
  SolanaSignatureStatus,
  SolanaSignatureSubject,
} from '../../contracts/chain/solana-observations';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { ReadThroughReader } from '../../contracts/read-through';
import { limitFirstReads } from '../http/limits';
import type { Reader } from '../watch-account';

/**
 * Whether a node knows a signature of which there is no document.
 * @throws Problem 429 `rate_limited` when the reader has asked for too many
 */
export type IsKnownSignature = (subject: SolanaSignatureSubject, reader: Reader) => Promise<boolean>;

interface SignatureCheckDeps {
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly look: ReadThroughReader<SolanaSignatureSubject, SolanaSignatureStatus>;
}

/** As long as a wallet may poll the status of what it has sent: until the blockhash expires. */
const COUNTED_ONCE_MS = 120_000;

/**
 * Asks a node before a signature is observed, which costs a job, a record and a document: anybody can think of any number
 * of signatures. Nothing is stored of one that no node knows. Who polls a signature is counted once.
 */
export function createSignatureCheck({ limits, look }: SignatureCheckDeps): IsKnownSignature {
  const counted = new LRUCache<string, true>({ max: 10_000, ttl: COUNTED_ONCE_MS });
  return async (subject, reader) => {
    const key = `${subject.network}:${subject.signature}`;
    if (!counted.has(key)) {
      await limitFirstReads(await limits(), reader);
      counted.set(key, true);
    }
    const status = await look(subject).catch(() => null);
    return status !== null && status.data !== null;
  };
}
