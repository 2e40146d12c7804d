import type { Address, Cell, TupleItem } from '@ton/core';
import type { Executor } from '@ton/sandbox/dist/executor/Executor';
import { useFastCells } from '../ton-cells/fast-cells';
import { createExecutor } from './executor';

export interface TransactionCall {
  readonly config: string;
  /** `ShardAccount` as a base64 bag of cells. */
  readonly shardAccount: string;
  readonly message: Cell;
  readonly utime: number;
  /** Lowest logical time; the machine raises it above the account's last and the message's own. */
  readonly lt: bigint;
  readonly seed: Buffer;
  /** Every signature counts as right: to see what a message would do before it is signed. */
  readonly ignoreSignatures?: boolean;
  /** Public libraries of the network: a dictionary of cells by their hash. */
  readonly libraries?: Cell | null;
}

export type TransactionOutcome =
  | { readonly done: true; readonly transaction: string; readonly shardAccount: string }
  | { readonly done: false; readonly reason: string };

export interface GetMethodCall {
  readonly config: string;
  readonly address: Address;
  readonly code: Cell;
  readonly data: Cell;
  readonly balance: bigint;
  readonly extraCurrency: Record<number, bigint>;
  readonly utime: number;
  readonly methodId: number;
  readonly stack: TupleItem[];
  readonly libraries?: Cell | null;
}

export interface GetMethodOutcome {
  readonly exitCode: number;
  /** The resulting tuple as a base64 bag of cells; null when the method failed. */
  readonly stack: string | null;
}

/** The TON virtual machine and transaction executor of `@ton/sandbox`, without state between calls. */
export interface Tvm {
  transact(call: TransactionCall): Promise<TransactionOutcome>;
  runGetMethod(call: GetMethodCall): Promise<GetMethodOutcome>;
}

/** Limits the duration of a call. */
const GET_METHOD_GAS = 1_000_000n;

/** Exit code of a get-method that could not be run. */
export const NOT_RUN = -256;

/** @param onTrap called with errors that broke the machine: it is replaced, and the call fails */
export async function openTvm(onTrap: (error: unknown) => void): Promise<Tvm> {
  useFastCells();
  let executor = createExecutor();
  await executor;

  // A trap may leave the WASM instance in any state: it is not used again.
  const guarded = async <T>(run: (executor: Executor) => Promise<T>): Promise<T | null> => {
    const used = executor;
    const machine = await used;
    try {
      return await run(machine);
    } catch (error) {
      onTrap(error);
      if (executor === used) executor = createExecutor();
      return null;
    }
  };

  return {
    async transact({ config, shardAccount, message, utime, lt, seed, ...options }) {
      const { ignoreSignatures = false, libraries = null } = options;
      const answer = await guarded(machine =>
        machine.runTransaction({
          config,
          libs: libraries,
          verbosity: 'short',
          shardAccount,
          message,
          now: utime,
          lt,
          randomSeed: seed,
          ignoreChksig: ignoreSignatures,
          debugEnabled: false,
        }),
      );
      if (!answer) return { done: false, reason: 'the virtual machine rejected the message' };
      const { result } = answer;
      if (result.success) {
        return { done: true, transaction: result.transaction, shardAccount: result.shardAccount };
      }
      const exit = result.vmResults ? `, exit code ${result.vmResults.vmExitCode}` : '';
      return { done: false, reason: `${result.error}${exit}` };
    },

    async runGetMethod({ config, utime, libraries, ...call }) {
      const answer = await guarded(machine =>
        machine.runGetMethod({
          ...call,
          config,
          ...(libraries && { libs: libraries }),
          verbosity: 'short',
          unixTime: utime,
          randomSeed: Buffer.alloc(32),
          gasLimit: GET_METHOD_GAS,
          debugEnabled: false,
        }),
      );
      if (!answer?.output.success) return { exitCode: NOT_RUN, stack: null };
      const { vm_exit_code: exitCode, stack } = answer.output;
      return { exitCode, stack: exitCode === 0 || exitCode === 1 ? stack : null };
    },
  };
}
