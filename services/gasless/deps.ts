import type { Logger } from 'pino';
import type { TonNetwork } from '../../contracts/network/network';
import type { EventStore } from '../../contracts/ports/event-store';
import type { TonClient } from '../../contracts/ports/ton-client';
import type { TonEmulator } from '../../contracts/ports/ton-emulator';
import type { Handle } from '../commands/handle';
import type { BudgetLimits } from './budget/decider';
import type { ListedJetton } from './jettons/decider';
import type { ChangedCode, JettonState } from './jettons/state';
import type { CommissionTerms, JettonRate } from './quote/commission';
import type { WalletKey } from '../wallet-v5/wallet-v5';

/** A relayer of one network. */
export interface Relayer {
  readonly network: TonNetwork;
  readonly client: Pick<
    TonClient,
    'getLastBlock' | 'getBlockAt' | 'getAccount' | 'runMethod' | 'getJettonWallet' | 'sendMessage'
  >;
  readonly emulator: TonEmulator;
  readonly key: WalletKey;
  /** Those that are listed, paused ones too, as operators have last said. */
  jettons(): Promise<readonly ListedJetton[]>;
  /** How a jetton compares with what is listed, as of a minute ago at most. Records the code of one that a setting has listed. */
  stateOf(jetton: ListedJetton): Promise<JettonState>;
  /** The same as it was found last; null while that has not been. It waits for no node. */
  knownStateOf(jetton: ListedJetton): JettonState | null;
  /** Says once for each change that a jetton has other code than that. */
  reportChange(change: ChangedCode): void;
  /** Null while nobody knows one that is new enough. */
  rateOf(jetton: ListedJetton): Promise<(JettonRate & { readonly at: string }) | null>;
  readonly terms: Omit<CommissionTerms, 'rate'>;
  readonly limits: Readonly<Record<BudgetSubject, BudgetLimits>>;
  /** Nanotons that stay in the relay wallet. */
  readonly minBalance: bigint;
  /** Within which messages between shards arrive; 0 where all that a transaction causes is in its block. */
  readonly maxDeliverySeconds: number;
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
  /** For clients that tell it from a moment in which nothing is sent: this jetton does not pay for transfers. */
  readonly isUnsupported?: true;
}

export function refusal(error: GaslessRefusal['error'], detail: string): GaslessRefusal {
  return { error, detail };
}

/** @param why that a jetton does not pay for transfers */
export function unsupported(why: string): GaslessRefusal {
  return { error: 'try-later', detail: why, isUnsupported: true };
}

export function isRefusal(answer: object): answer is GaslessRefusal {
  return 'error' in answer;
}
