import type {
  SolanaAccountObserved,
  SolanaAccountSubject,
  SolanaSignatureStatus,
  SolanaSignatureSubject,
  SolanaTokensObserved,
} from '../../contracts/chain/solana-observations';
import type { SolanaNetwork } from '../../contracts/network/network';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { Views } from '../../projections/views';
import type { ListWait } from '../reads/read-list';
import type { Watch } from '../watch-account';
import type { UnreadSignatures } from './unread-signatures';

export interface SolanaReadDeps extends ListWait {
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
  readonly unread: UnreadSignatures;
}
