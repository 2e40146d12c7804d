// The package's main module speaks the types of another client library; the napi binding beneath it takes bytes.
import {
  Account,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  type SlotHashInput,
  type TransactionMetadata,
} from 'litesvm/dist/internal';
import { sameAccount, type StoredAccount } from './account';
import { base58, fromBase58 } from './base58';
import { type LoadedAddresses, loadAddresses } from './lookup';
import { isTokenProgram } from './programs';
import { type TransactionError, transactionError } from './transaction-error';
import { isStaticWritable, type WireTransaction } from './wire';

export const SLOTS_PER_EPOCH = 432_000;

/** What one run of a transaction did, whether it succeeded or not. */
export interface Run {
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
  readonly metadata: TransactionMetadata;
}

/** An account of a transaction, in the order in which its instructions count them. */
export interface TouchedAccount {
  readonly address: string;
  readonly writable: boolean;
  readonly before: StoredAccount | null;
  readonly after: StoredAccount | null;
}

export interface Execution extends Run {
  /** False when the transaction was refused before it ran: no fee was taken, and it is in no block. */
  readonly charged: boolean;
  readonly touched: readonly TouchedAccount[];
  readonly loaded: LoadedAddresses;
}

export interface Simulation extends Run {
  /** The account as the transaction would leave it. */
  after(address: string): StoredAccount | null;
}

/** The SVM: accounts in memory and the programs that change them. Single-threaded and synchronous. */
export interface Engine {
  account(address: string): StoredAccount | null;
  /** Sets an account, past all rules of the runtime; null removes it. */
  setAccount(address: string, account: StoredAccount | null): void;
  /** Tells programs where they are: the clock, and the hashes of the blocks before, newest first. */
  enterSlot(slot: number, unixTime: number, recent: readonly SlotHashInput[]): void;
  simulate(transaction: WireTransaction, verifySignatures: boolean): Simulation;
  execute(transaction: WireTransaction, verifySignatures: boolean): Execution;
  rentExemptMinimum(bytes: number): number;
}

const EMPTY = Buffer.alloc(0);

/** @param needsData false for an account that is only read: its data is left out unless it is a token account's */
const stored = (account: Account | null, needsData = true): StoredAccount | null => {
  if (!account) return null;
  const owner = Buffer.from(account.owner());
  const data = needsData || isTokenProgram(owner) ? Buffer.from(account.data()) : EMPTY;
  return { lamports: account.lamports(), owner, executable: account.executable(), data };
};

const NOTHING: StoredAccount = {
  lamports: 0n,
  owner: Buffer.alloc(32),
  executable: false,
  data: EMPTY,
};

const toRun = (outcome: TransactionMetadata | FailedTransactionMetadata): Run => {
  const failed = outcome instanceof FailedTransactionMetadata;
  const metadata = failed ? outcome.meta() : outcome;
  return {
    err: failed ? transactionError(outcome) : null,
    logs: metadata.logs(),
    unitsConsumed: Number(metadata.computeUnitsConsumed()),
    metadata,
  };
};

export const createEngine = (): Engine => {
  const svm = new LiteSvm();
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  svm.withNativeMints();

  const bytes = (address: string): Buffer => {
    const key = fromBase58(address);
    if (key?.length !== 32) throw new TypeError(`not an address: ${address}`);
    return key;
  };
  const account = (address: string): StoredAccount | null => stored(svm.getAccount(bytes(address)));
  const verifying = <Result>(verify: boolean, body: () => Result): Result => {
    svm.setSigverify(verify);
    return body();
  };

  return {
    account,
    setAccount: (address, value) => {
      const { lamports, owner, executable, data } = value ?? NOTHING;
      svm.setAccount(bytes(address), new Account(lamports, data, owner, executable, 0n));
    },
    enterSlot: (slot, unixTime, recent) => {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
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
          const value = changed ? stored(changed.account()) : account(address);
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
        return { key, address: base58(key), writable, before: stored(svm.getAccount(key), writable) };
      });
      const run = toRun(
        verifying(verify, () =>
          message.version === 'legacy' ? svm.sendLegacyTransaction(wire) : svm.sendVersionedTransaction(wire),
        ),
      );
      const touched = before.map(({ key, ...entry }) => ({
        ...entry,
        after: entry.writable ? stored(svm.getAccount(key)) : entry.before,
      }));
      const charged = run.err === null || touched.some(entry => !sameAccount(entry.before, entry.after));
      return { ...run, charged, touched, loaded };
    },
    rentExemptMinimum: length => Number(svm.minimumBalanceForRentExemption(BigInt(length))),
  };
};
