import type { Logger } from 'pino';
import type { TonNetwork } from '../../contracts/network/network';
import type { EventStore } from '../../contracts/ports/event-store';
import type { TonClient } from '../../contracts/ports/ton-client';
import type { TonEmulator } from '../../contracts/ports/ton-emulator';
import type { Handle } from '../commands/handle';
import type { BudgetLimits } from './budget/decider';
import type { CommissionTerms, JettonRate } from './quote/commission';
import type { WalletKey } from '../wallet-v5/wallet-v5';

/** A relayer of one network. */
export interface Relayer {
  readonly network: TonNetwork;
  readonly client: Pick<
    TonClient,
    'getLastBlock' | 'getBlockAt' | 'getAccount' | 'getJettonWallet' | 'sendMessage'
  >;
  readonly emulator: TonEmulator;
  readonly key: WalletKey;
  /** Raw: of the masters whose jettons pay for transfers. */
  readonly jettons: readonly string[];
  /** Null while nobody knows one that is new enough. */
  rateOf(master: string): Promise<(JettonRate & { readonly at: string }) | null>;
  readonly terms: Omit<CommissionTerms, 'rate'>;
  readonly limits: Readonly<Record<BudgetSubject, BudgetLimits>>;
  /** Nanotons that stay in the relay wallet. */
  readonly minBalance: bigint;
}

/** Whom the relayer loses coins for. */
export type BudgetSubject = 'all' | 'wallet' | 'source';

export interface GaslessDeps {
  /** Null where the network has none. */
  relayer(network: TonNetwork): Relayer | null;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'debug' | 'warn' | 'error'>;
}

/** What a wallet application understands; `detail` is for the log alone. */
export interface GaslessRefusal {
  readonly error: 'not-enough' | 'try-later' | 'cooldown';
  readonly detail: string;
}

export function refusal(error: GaslessRefusal['error'], detail: string): GaslessRefusal {
  return { error, detail };
}

export function isRefusal(answer: object): answer is GaslessRefusal {
  return 'error' in answer;
}
