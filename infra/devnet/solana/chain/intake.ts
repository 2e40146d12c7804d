import { base58 } from '../svm/base58';
import type { Chain } from './chain';
import type { Engine, Simulation } from '../svm/engine';
import { usesNonce } from '../svm/nonce';
import type { TransactionError } from '../svm/transaction-error';
import { findLive, usableBlockhash } from './window';
import type { Message, WireTransaction } from '../svm/wire';

/** A transaction that never reached a block. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly error: TransactionError,
    readonly simulation: Simulation | null = null,
  ) {
    super(JSON.stringify(error));
  }
}

/** How transactions come in. */
export interface Intake {
  /** Why a message cannot run now, whatever its instructions do; null when it can. */
  fault(message: Message): TransactionError | null;
  /**
   * Runs a transaction and puts it into the open block; settles with its signature when that is durable. Without
   * preflight, one that cannot run or pay is dropped in silence, as a leader does.
   * @throws Refused by the preflight, or for a wrong signature
   */
  submit(transaction: WireTransaction, skipPreflight: boolean): Promise<string>;
  /** Runs a transaction and forgets it. */
  simulate(transaction: WireTransaction, verifySignatures: boolean): Simulation;
}

const MAX_LOCKS = 128;

export function createIntake(chain: Chain, engine: Engine): Intake {
  const fault = (message: Message): TransactionError | null => {
    if (new Set(message.keys.map(key => key.toString('latin1'))).size < message.keys.length)
      return 'AccountLoadedTwice';
    if (message.keys.length > MAX_LOCKS) return 'TooManyAccountLocks';
    const known = usableBlockhash(chain.window, message.blockhash) !== null;
    return known || usesNonce(message, engine.account) ? null : 'BlockhashNotFound';
  };
  const isKnown = (signature: string): boolean =>
    findLive(chain.window, signature) !== null || chain.queries.has(signature);

  return {
    fault,
    simulate: engine.simulate,
    submit: async (transaction, skipPreflight) => {
      const signature = base58(transaction.signatures[0]!);
      const refusal = isKnown(signature) ? 'AlreadyProcessed' : fault(transaction.message);
      if (refusal !== null && !skipPreflight) throw new Refused(refusal);
      if (refusal !== null) return signature;
      if (!skipPreflight) {
        const simulation = engine.simulate(transaction, true);
        if (simulation.err !== null) throw new Refused(simulation.err, simulation);
      }
      const execution = engine.execute(transaction, skipPreflight);
      if (execution.err === 'SignatureFailure') throw new Refused(execution.err);
      if (execution.charged) await chain.record(transaction, execution);
      return signature;
    },
  };
}
