import type {
  SolanaAccountObserved,
  SolanaAccountSubject,
  SolanaSignatureStatus,
  SolanaSignatureSubject,
  SolanaTokensObserved,
} from '../../contracts/chain/solana-observations';
import type { SolanaNetwork } from '../../contracts/network';
import type { ObservedReader } from '../../contracts/observation';
import { Problem } from '../../contracts/problem';
import type { Views } from '../../projections/views';
import type { WaitLimit } from '../read-until';
import type { Watch } from '../watch-account';
import type { IsKnownSignature } from './unread-signatures';

export interface SolanaReadDeps {
  readonly views: Views;
  /** Makes the indexer follow an account and backfill its history. */
  readonly watch: Watch;
  /** Makes the indexer read the next older part of an account's history, by its number from 1. */
  readonly readOlder: (
    network: SolanaNetwork,
    account: { readonly address: string; readonly watch: number },
    part: number,
  ) => Promise<unknown>;
  readonly accounts: ObservedReader<SolanaAccountSubject, SolanaAccountObserved>;
  readonly tokens: ObservedReader<SolanaAccountSubject, SolanaTokensObserved>;
  readonly signatures: ObservedReader<SolanaSignatureSubject, SolanaSignatureStatus>;
  readonly isKnownSignature: IsKnownSignature;
  /** Milliseconds that a read waits for transactions that are missing; default 2,500. */
  readonly waitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
}

const RETRY_AFTER_SECONDS = 2;

/** @param what such as `The account` */
export function notReady(what: string): Problem {
  return Problem.unavailable(`${what} has not been read yet; try again.`, RETRY_AFTER_SECONDS);
}
