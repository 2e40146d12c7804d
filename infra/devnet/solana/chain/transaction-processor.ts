import { base58 } from '../svm/base58';
import type { Chain } from './chain';
import type { Engine, Simulation } from '../svm/engine';
import { usesNonce } from '../svm/nonce';
import type { TransactionError } from '../svm/transaction-error';
import { findLive, usableBlockhash } from './unfinalized';
import type { Message, WireTransaction } from '../svm/wire';

/** A transaction that was not included in a block. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly error: TransactionError,
    readonly simulation: Simulation | null = null,
  ) {
    super(JSON.stringify(error));
  }
}

/** Validates, executes and records transactions. */
export interface TransactionProcessor {
  /** Why a message cannot run now, regardless of its instructions; null when it can. */
  validate(message: Message): TransactionError | null;
  /**
   * Runs a transaction and adds it to the open block; resolves with its signature when that is durable. Without preflight,
   * one that cannot run or pay is dropped silently, as a leader does.
   * @throws Refused by the preflight, or for an invalid signature
   */
  submit(transaction: WireTransaction, skipPreflight: boolean): Promise<string>;
  /** Runs a transaction without recording it. */
  simulate(transaction: WireTransaction, verifySignatures: boolean): Simulation;
}

const MAX_LOCKS = 128;

export function createTransactionProcessor(chain: Chain, engine: Engine): TransactionProcessor {
  const validate = (message: Message): TransactionError | null => {
    if (new Set(message.keys.map(key => key.toString('latin1'))).size < message.keys.length)
      return 'AccountLoadedTwice';
    if (message.keys.length > MAX_LOCKS) return 'TooManyAccountLocks';
    const known = usableBlockhash(chain.unfinalized, message.blockhash) !== null;
    return known || usesNonce(message, engine.account) ? null : 'BlockhashNotFound';
  };
  const isKnown = (signature: string): boolean =>
    findLive(chain.unfinalized, signature) !== null || chain.queries.has(signature);

  return {
    validate,
    simulate: engine.simulate,
    submit: async (transaction, skipPreflight) => {
      const signature = base58(transaction.signatures[0]!);
      const refusal = isKnown(signature) ? 'AlreadyProcessed' : validate(transaction.message);
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
