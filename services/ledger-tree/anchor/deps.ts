import type { Cell } from '@ton/core';
import type { Logger } from 'pino';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { Anchor, AnchorProof } from '../../../contracts/ledger-tree/anchor';
import type { TonNetwork } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { TonClient } from '../../../contracts/ports/ton-client';
import type { Handle } from '../../commands/handle';
import type { Checkpoints } from '../checkpoints';
import type { WalletKey } from '../../wallet-v5/wallet-v5';

export interface AnchorDeps {
  readonly network: TonNetwork;
  readonly key: WalletKey;
  readonly client: Pick<TonClient, 'getLastBlock' | 'getBlockAt' | 'getAccount' | 'sendMessage'>;
  /** Transactions of an account (raw), newest first, from one on. */
  history(account: string, from: TransactionRef): AsyncIterable<Cell>;
  /**
   * The proof of the block that has a transaction, as far as it is made until the signal; null when the source of blocks has failed.
   * Null itself where there is no source.
   */
  readonly proofOf:
    ((transaction: Anchor['transaction'], signal: AbortSignal) => Promise<AnchorProof | null>) | null;
  /** For which proofs are made in one job; default 60,000. */
  readonly proveMs?: number;
  /** Gives a wallet (raw) on a local network coins; absent on others. */
  readonly fund?: (account: string) => Promise<void>;
  readonly checkpoints: Pick<Checkpoints, 'latest'>;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Only the operator can help: the wallet has too few coins. */
export class AnchorWalletLow extends Error {
  override readonly name = 'AnchorWalletLow';
}
