import type { Logger } from 'pino';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type {
  CustomPayloadObserved,
  CustomPayloadSubject,
  ExtraCurrenciesObserved,
  JettonBalanceObserved,
  JettonBalanceSubject,
  JettonMasterObserved,
  JettonOwnerSubject,
  JettonPoolObserved,
  JettonWalletObserved,
  TokenDocumentObserved,
  TokenImageRead,
} from '../../contracts/chain/ton-token-observations';
import type { HintPrice } from '../../contracts/http/tokens/tokens';
import type { TonNetwork } from '../../contracts/network/network';
import type { ObservedReader, UnrecordedReader } from '../../contracts/observation/reader';
import type { Source } from '../../contracts/ports/documents';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { TonTransactions } from '../../projections/ton/transactions/queries';
import type { Views } from '../../projections/views';
import type { ListWait } from '../reads/read-list';
import type { Watch } from '../watch-account';
import type { KnownCurrencies } from './known-currencies';

export interface JettonPrices {
  /** Changes with any price. */
  readonly source: Source;
  /** By raw address of the master, of those that have one. */
  find(network: TonNetwork, masters: readonly string[]): Promise<ReadonlyMap<string, HintPrice>>;
}

export interface TokenDeps extends ListWait {
  readonly views: Views;
  readonly transactions: Pick<TonTransactions, 'account' | 'sources' | 'waitForChange' | 'withLts'>;
  /** Makes the indexer follow an account and backfill its history. */
  readonly watch: Watch;
  readonly masters: ObservedReader<TonContractSubject, JettonMasterObserved>;
  readonly wallets: ObservedReader<TonContractSubject, JettonWalletObserved>;
  readonly balances: ObservedReader<JettonBalanceSubject, JettonBalanceObserved>;
  /** By URI. */
  readonly documents: ObservedReader<string, TokenDocumentObserved>;
  readonly pools: ObservedReader<TonContractSubject, JettonPoolObserved>;
  readonly payloads: ObservedReader<CustomPayloadSubject, CustomPayloadObserved>;
  readonly extraCurrencies: ObservedReader<TonContractSubject, ExtraCurrenciesObserved>;
  readonly knownCurrencies: KnownCurrencies;
  /** The wallet (raw) of an owner in which jettons were found that no transaction of the owner names. */
  readonly ownedJettons: ObservedReader<JettonOwnerSubject, string | null>;
  /** The same, where nothing was found yet. */
  readonly unrecordedOwnedJettons: UnrecordedReader<JettonOwnerSubject, string | null>;
  readonly walletAddress: UnrecordedReader<JettonOwnerSubject, string | null>;
  readonly prices: JettonPrices;
  /** What a jetton or an NFT item contains. */
  readonly tokenImage: UnrecordedReader<TonContractSubject, TokenImageRead>;
  /** Where clients reach the program; null: where each has sent its request to. */
  readonly publicUrl: string | null;
  /** Where a URI of a token can be shown from. */
  readonly gatewayUrl: (uri: string) => string;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** Milliseconds that a read waits for what it can be served without; default 2,500. */
  readonly waitMs?: number;
}
