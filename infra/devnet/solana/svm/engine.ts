// The package's main module uses the types of another client library; its napi binding takes bytes.
import {
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  type SlotHashInput,
} from 'litesvm/dist/internal';
import { sameAccount, type StoredAccount } from './account';
import { amountToUiAmount } from './amount-to-ui-amount';
import { base58, fromBase58 } from './base58';
import { type LoadedAddresses, loadAddresses } from './address-lookup-table';
import { fromNative, toNative } from './native-account';
import { type Run, toRun } from './run';
import { isStaticWritable, type WireTransaction } from './wire';

/** An account of a transaction, in the order of the instructions' indexes. */
export interface TouchedAccount {
  readonly address: string;
  readonly writable: boolean;
  readonly before: StoredAccount | null;
  readonly after: StoredAccount | null;
}

export interface Execution extends Run {
  /** False when the transaction was rejected before it ran: no fee was charged, and it is in no block. */
  readonly charged: boolean;
  readonly touched: readonly TouchedAccount[];
  readonly loaded: LoadedAddresses;
}

export interface Simulation extends Run {
  /** The account after the transaction. */
  after(address: string): StoredAccount | null;
}

/** The SVM: accounts in memory and the programs that change them. Single-threaded and synchronous. */
export interface Engine {
  account(address: string): StoredAccount | null;
  /** Sets an account, bypassing all rules of the runtime; null removes it. */
  setAccount(address: string, account: StoredAccount | null): void;
  /** Sets the clock and the SlotHashes sysvar, newest first. */
  enterSlot(slot: number, unixTime: number, recent: readonly SlotHashInput[]): void;
  simulate(transaction: WireTransaction, verifySignatures: boolean): Simulation;
  execute(transaction: WireTransaction, verifySignatures: boolean): Execution;
  rentExemptMinimum(bytes: number): number;
  /** An amount of a mint of Token-2022 as the program shows it; null when it refuses. */
  uiAmount(mint: string, amount: bigint): string | null;
  readonly slotsPerEpoch: number;
}

export function createEngine(slotsPerEpoch: number): Engine {
  const svm = new LiteSvm();
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  svm.withNativeMints();
  svm.setEpochSchedule(new EpochSchedule(BigInt(slotsPerEpoch), BigInt(slotsPerEpoch), false, 0n, 0n));

  const bytes = (address: string): Buffer => {
    const key = fromBase58(address);
    if (key?.length !== 32) throw new TypeError(`not an address: ${address}`);
    return key;
  };
  const account = (address: string): StoredAccount | null => fromNative(svm.getAccount(bytes(address)));
  const verifying = <Result>(verify: boolean, body: () => Result): Result => {
    svm.setSigverify(verify);
    return body();
  };

  return {
    account,
    setAccount: (address, value) => {
      svm.setAccount(bytes(address), toNative(value));
    },
    enterSlot: (slot, unixTime, recent) => {
      const epoch = BigInt(Math.floor(slot / slotsPerEpoch));
      svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(unixTime)));
      svm.setSlotHashes([...recent]);
      svm.expireBlockhash();
    },
    simulate: ({ wire, message }, verify) => {
      const outcome = verifying(verify, () =>
        message.version === 'legacy'
          ? svm.simulateLegacyTransaction(wire)
          : svm.simulateVersionedTransaction(wire),
      );
      if (outcome instanceof FailedTransactionMetadata) return { ...toRun(outcome), after: account };
      return {
        ...toRun(outcome.meta()),
        after: address => {
          const key = bytes(address);
          const changed = outcome.postAccounts().find(post => key.equals(post.address));
          const value = changed ? fromNative(changed.account()) : account(address);
          return value && value.lamports > 0n ? value : null;
        },
      };
    },
    execute: (transaction, verify) => {
      const { wire, message } = transaction;
      const loaded = loadAddresses(message, account) ?? { writable: [], readonly: [] };
      const writableFrom = message.keys.length;
      const readonlyFrom = writableFrom + loaded.writable.length;
      const before = [...message.keys, ...loaded.writable, ...loaded.readonly].map((key, index) => {
        const writable = index < writableFrom ? isStaticWritable(message, index) : index < readonlyFrom;
        return { key, address: base58(key), writable, before: fromNative(svm.getAccount(key), writable) };
      });
      const run = toRun(
        verifying(verify, () =>
          message.version === 'legacy' ? svm.sendLegacyTransaction(wire) : svm.sendVersionedTransaction(wire),
        ),
      );
      const touched = before.map(({ key, ...entry }) => ({
        ...entry,
        after: entry.writable ? fromNative(svm.getAccount(key)) : entry.before,
      }));
      const charged = run.err === null || touched.some(entry => !sameAccount(entry.before, entry.after));
      return { ...run, charged, touched, loaded };
    },
    uiAmount: (mint, amount) => amountToUiAmount(svm, bytes(mint), amount),
    slotsPerEpoch,
    rentExemptMinimum: length => Number(svm.minimumBalanceForRentExemption(BigInt(length))),
  };
}
