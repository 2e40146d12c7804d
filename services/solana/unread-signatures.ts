import type {
  SolanaSignatureStatus,
  SolanaSignatureSubject,
} from '../../contracts/chain/solana-observations';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { ReadThroughReader } from '../../contracts/read-through';
import { createFirstReadLimit } from '../http/limits';
import type { Reader } from '../watch-account';

/**
 * Whether a node knows a signature of which there is no document.
 * @throws Problem 429 `rate_limited` when the reader has asked for too many
 */
export type IsKnownSignature = (subject: SolanaSignatureSubject, reader: Reader) => Promise<boolean>;

interface SignatureCheckDeps {
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly readThrough: ReadThroughReader<SolanaSignatureSubject, SolanaSignatureStatus>;
}

/**
 * Asks a node before a signature is observed, which costs a job, a record and a document: anybody can think of any number
 * of signatures. Nothing is stored of one that no node knows. Who polls a signature is counted once.
 */
export function createSignatureCheck({ limits, readThrough }: SignatureCheckDeps): IsKnownSignature {
  const limitFirstRead = createFirstReadLimit(limits);
  return async (subject, reader) => {
    await limitFirstRead(`${subject.network}:${subject.signature}`, reader);
    const status = await readThrough(subject).catch(() => null);
    return status !== null && status.data !== null;
  };
}
