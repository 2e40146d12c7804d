import { addressKey } from '../../contracts/http/address-key';
import type { UnrecordedReader } from '../../contracts/observation/reader';
import type {
  SolanaSignatureStatus,
  SolanaSignatureSubject,
} from '../../contracts/chain/solana-observations';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { createFirstReadLimit } from '../http/limits';
import type { Reader } from '../watch-account';

/** What a node knows of signatures of which there is no document. */
export interface UnreadSignatures {
  /**
   * Whether a node knows one; false also when none answers.
   * @throws Problem 429 `rate_limited` when the reader has asked for too many
   */
  isKnown(subject: SolanaSignatureSubject, reader: Reader): Promise<boolean>;
  /**
   * The slot of its transaction; null when no node knows it.
   * @throws Problem 429 `rate_limited`; 503 when no node answers
   */
  slotOf(subject: SolanaSignatureSubject, reader: Reader): Promise<number | null>;
}

interface UnreadSignaturesDeps {
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly unrecorded: UnrecordedReader<SolanaSignatureSubject, SolanaSignatureStatus>;
}

/**
 * Asks a node before a signature is observed, which costs a job, a record and a document: anybody can think of any number
 * of signatures. Nothing is stored of one that no node knows. A caller who polls a signature is counted once.
 */
export function createUnreadSignatures({ limits, unrecorded }: UnreadSignaturesDeps): UnreadSignatures {
  const limitFirstRead = createFirstReadLimit(limits);
  const limit = ({ network, signature }: SolanaSignatureSubject, reader: Reader): Promise<void> =>
    limitFirstRead(`${network}:${signature}`, reader);
  return {
    async isKnown(subject, reader) {
      await limit(subject, reader);
      const status = await unrecorded.read(subject, { caller: addressKey(reader.ip) }).catch(() => null);
      return status !== null && status.data !== null;
    },
    async slotOf(subject, reader) {
      await limit(subject, reader);
      return (await unrecorded.read(subject, { caller: addressKey(reader.ip) })).data?.slot ?? null;
    },
  };
}
