import { base58 } from '../svm/base58';
import type { Engine, Execution } from '../svm/engine';
import { forkPlan } from './fork';
import type { LedgerTransaction, LiveBlock } from './ledger';
import { metaJson } from '../svm/transaction-meta';
import { decimalsOf } from '../svm/token-balances';
import { memoOf, transactionJson } from '../svm/transaction-body';
import { createPending } from './pending-writes';
import { createQueries, type Queries } from './queries';
import { type Genesis, restoreChain } from './restore';
import { closingHeader, type CommitmentDepths, advanceCommitments } from './commitment';
import { nextSlot } from './slots';
import type { Store } from './store';
import { recordChanges, openBlockOf, openLiveBlock, addRecent, type UnfinalizedChain } from './unfinalized';
import type { WireTransaction } from '../svm/wire';

export interface ChainOptions extends CommitmentDepths {
  readonly store: Store;
  readonly engine: Engine;
  readonly genesis: () => Genesis;
  /** One slot in so many has no block; 0 for none. */
  readonly skipEvery: number;
  /** Blocks older than so many slots are deleted. */
  readonly keepSlots: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a write fails: the chain stops until everything is written. */
  readonly onWriteFailure: (error: unknown) => void;
}

/** Notified of changes synchronously. Must not throw: the chain would end. */
export interface ChainListener {
  opened(slot: number, parent: number, root: number): void;
  executed(block: LiveBlock, transaction: LedgerTransaction, changed: readonly string[]): void;
  /** A block, already durable, is confirmed or finalized; oldest first. */
  reached(block: LiveBlock, commitment: 'confirmed' | 'finalized'): void;
  /** Blocks were dropped: the accounts that they changed are again what they were before them. */
  forked(dropped: readonly LiveBlock[]): void;
}

/** What a fork has dropped. */
export interface Dropped {
  /** The newest slot that both histories share. */
  readonly sharedSlot: number;
  readonly slots: readonly number[];
  /** In order of execution. */
  readonly transactions: readonly LedgerTransaction[];
}

export interface Chain {
  readonly genesisHash: string;
  readonly unfinalized: Readonly<UnfinalizedChain>;
  readonly queries: Queries;
  /** Adds an executed transaction to the open block. Resolves when it is durable. */
  record(transaction: WireTransaction, execution: Execution): Promise<void>;
  /**
   * Call once per slot: closes the block and opens the next, unless the slot is skipped or earlier changes are not
   * written.
   */
  advance(): void;
  /** So many slots after the open one have no block. */
  skip(slots: number): void;
  /** Drops the open block and the newest `blocks` closed ones. @throws RangeError, and errors of the database */
  fork(blocks: number): Dropped;
  /** Writes pending changes now. */
  flush(): void;
  listen(listener: ChainListener): void;
}

const PRUNE_EVERY = 512;
/** At once: about a minute of the real network. */
const MAX_SKIP = 150;

/** The chain: slots, blocks and commitments, over the engine that executes transactions and the store that stores them. */
export function createChain(options: ChainOptions): Chain {
  const { store, engine, skipEvery } = options;
  const queries = createQueries(store.database);
  const { unfinalized, genesisHash } = restoreChain(store, queries, engine, options.genesis, skipEvery);
  const decimals = decimalsOf(engine);
  const listeners: ChainListener[] = [];
  const notify = (event: (listener: ChainListener) => void): void => listeners.forEach(event);
  const seconds = (): number => Math.floor(options.now() / 1000);
  /** Skipped slots that have to pass before the open block closes. */
  let skippedSlots = 0;
  /** Slots to skip on demand, after the open one. */
  let toSkip = 0;

  const tips = () => ({ openSlot: openBlockOf(unfinalized).slot, rootSlot: unfinalized.root.slot });
  const pending = createPending(batch => store.write({ ...batch, ...tips() }), options.onWriteFailure);

  const enterOpenSlot = (): void => {
    const hashes = unfinalized.recent.map(({ slot, blockhash }) => ({ slot: BigInt(slot), hash: blockhash }));
    engine.enterSlot(openBlockOf(unfinalized).slot, seconds(), hashes);
  };

  const openAfter = (slot: number, height: number): void => {
    const next = nextSlot(slot + toSkip, skipEvery);
    toSkip = 0;
    skippedSlots = next - slot - 1;
    unfinalized.blocks.push(openLiveBlock(next, height));
    enterOpenSlot();
  };

  const close = (block: LiveBlock): void => {
    block.header = closingHeader(block, unfinalized.recent[0]!, seconds());
    addRecent(unfinalized, block.header);
    pending.close(block.header);
  };

  /** Notifications of blocks that are not written yet. */
  let notifyBlocks: (() => void) | null = null;
  const flushAll = (): boolean => {
    if (!pending.flush()) return false;
    const notifyNow = notifyBlocks;
    notifyBlocks = null;
    notifyNow?.();
    return true;
  };
  const prune = (): void => {
    try {
      store.prune(unfinalized.root.slot - options.keepSlots);
    } catch (error) {
      // The next prune deletes them.
      options.onWriteFailure(error);
    }
  };

  advanceCommitments(unfinalized, options);
  enterOpenSlot();

  return {
    genesisHash,
    unfinalized,
    queries,
    record: (transaction, execution) => {
      const block = openBlockOf(unfinalized);
      const accountKeys = execution.touched.map(({ address }) => address);
      const entry: LedgerTransaction = {
        slot: block.slot,
        index: block.transactions.size,
        signature: base58(transaction.signatures[0]!),
        err: execution.err,
        memo: memoOf(transaction.message),
        version: transaction.message.version,
        wire: transaction.wire,
        body: transactionJson(transaction, accountKeys),
        meta: metaJson(execution, decimals),
        accountKeys,
      };
      block.transactions.set(entry.signature, entry);
      const { changed, first } = recordChanges(block, execution.touched);
      pending.add(entry, changed, first);
      const addresses = changed.map(({ address }) => address);
      notify(listener => listener.executed(block, entry, addresses));
      return pending.durable();
    },
    advance: () => {
      if (!flushAll()) return;
      if (skippedSlots > 0) {
        skippedSlots -= 1;
        return;
      }
      const block = openBlockOf(unfinalized);
      close(block);
      openAfter(block.slot, block.height + 1);
      const { confirmed, finalized } = advanceCommitments(unfinalized, options);
      notifyBlocks = () => {
        for (const each of confirmed) notify(listener => listener.reached(each, 'confirmed'));
        for (const each of finalized) notify(listener => listener.reached(each, 'finalized'));
        notify(listener => listener.opened(openBlockOf(unfinalized).slot, block.slot, unfinalized.root.slot));
      };
      if (flushAll() && block.slot % PRUNE_EVERY === 0) prune();
    },
    skip: slots => {
      if (!Number.isInteger(slots) || slots < 1 || slots > MAX_SKIP)
        throw new RangeError(`cannot skip ${slots} slots: 1 to ${MAX_SKIP} are possible`);
      toSkip = slots;
    },
    fork: blocks => {
      if (!flushAll()) throw new Error('pending changes could not be written');
      const { kept, dropped, restored } = forkPlan(unfinalized, blocks);
      for (const [address, account] of restored) engine.setAccount(address, account);
      const newest = openBlockOf(unfinalized);
      const parent = kept.at(-1)?.header ?? unfinalized.root;
      unfinalized.blocks.splice(0, unfinalized.blocks.length, ...kept);
      unfinalized.recent = queries.newestBlocks(parent.slot, unfinalized.recent.length);
      openAfter(newest.slot, parent.height + 1);
      const transactions = dropped.flatMap(block => [...block.transactions.values()]);
      store.revert({ fromSlot: dropped[0]!.slot, transactions, accounts: restored, ...tips() });
      notify(listener => listener.forked(dropped));
      notify(listener => listener.opened(openBlockOf(unfinalized).slot, parent.slot, unfinalized.root.slot));
      return { sharedSlot: parent.slot, slots: dropped.map(({ slot }) => slot), transactions };
    },
    flush: () => void pending.flush(),
    listen: listener => {
      listeners.push(listener);
    },
  };
}
