import { base58 } from '../svm/base58';
import type { Engine, Execution } from '../svm/engine';
import { forkPlan } from './fork';
import type { LedgerTransaction, LiveBlock } from './ledger';
import { metaJson } from '../svm/meta';
import { decimalsOf } from '../svm/token-balances';
import { memoOf, transactionJson } from '../svm/transaction-body';
import { createPending } from './pending';
import { createQueries, type Queries } from './queries';
import { type Genesis, restoreWindow } from './restore';
import { closingHeader, type Depths, settle } from './settle';
import { nextSlot } from './slots';
import type { Store } from './store';
import { noteChanges, openBlockOf, openLiveBlock, remember, type Window } from './window';
import type { WireTransaction } from '../svm/wire';

export interface ChainOptions extends Depths {
  readonly store: Store;
  readonly engine: Engine;
  readonly genesis: () => Genesis;
  /** One slot in so many has no block; 0 for none. */
  readonly skipEvery: number;
  /** Blocks older than so many slots are forgotten. */
  readonly keepSlots: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The disk refuses to be written to: the chain stands still until it takes everything. */
  readonly refused: (error: unknown) => void;
}

/** What the chain tells about itself, as it happens. A listener must not throw: the chain would end. */
export interface ChainListener {
  opened(slot: number, parent: number, root: number): void;
  executed(block: LiveBlock, transaction: LedgerTransaction, changed: readonly string[]): void;
  /** A block, durable by now, is confirmed or finalized; oldest first. */
  reached(block: LiveBlock, commitment: 'confirmed' | 'finalized'): void;
}

/** A piece of history that is no more. */
export interface Dropped {
  /** The newest slot that both histories share. */
  readonly sharedSlot: number;
  readonly slots: readonly number[];
  /** In the order in which they had run. */
  readonly transactions: readonly LedgerTransaction[];
}

export interface Chain {
  readonly genesisHash: string;
  readonly window: Readonly<Window>;
  readonly queries: Queries;
  /** Puts a transaction that ran and paid into the open block. It is durable when the promise settles. */
  record(transaction: WireTransaction, execution: Execution): Promise<void>;
  /**
   * To be called once a slot: closes the block and opens the next, unless the slot is one that has none, or the disk
   * has not taken what was before.
   */
  advance(): void;
  /** Drops the open block and the newest `blocks` closed ones, and goes on from there. @throws RangeError, and what the disk does */
  fork(blocks: number): Dropped;
  /** Writes down at once what waits for it. */
  flush(): void;
  listen(listener: ChainListener): void;
}

const PRUNE_EVERY = 512;

/** The chain: slots, blocks and what is final, over the engine that runs transactions and the store that keeps them. */
export function createChain(options: ChainOptions): Chain {
  const { store, engine, skipEvery } = options;
  const queries = createQueries(store.database);
  const { window, genesisHash } = restoreWindow(store, queries, engine, options.genesis, skipEvery);
  const decimals = decimalsOf(engine);
  const listeners: ChainListener[] = [];
  const tell = (event: (listener: ChainListener) => void): void => listeners.forEach(event);
  const seconds = (): number => Math.floor(options.now() / 1000);
  /** Slots without a block that still have to pass before the open block closes. */
  let hold = 0;

  const tips = () => ({ openSlot: openBlockOf(window).slot, rootSlot: window.root.slot });
  const pending = createPending(batch => store.write({ ...batch, ...tips() }), options.refused);

  const enterOpenSlot = (): void => {
    const hashes = window.recent.map(({ slot, blockhash }) => ({ slot: BigInt(slot), hash: blockhash }));
    engine.enterSlot(openBlockOf(window).slot, seconds(), hashes);
  };

  const openAfter = (slot: number, height: number): void => {
    const next = nextSlot(slot, skipEvery);
    hold = next - slot - 1;
    window.blocks.push(openLiveBlock(next, height));
    enterOpenSlot();
  };

  const close = (block: LiveBlock): void => {
    block.header = closingHeader(block, window.recent[0]!, seconds());
    remember(window, block.header);
    pending.close(block.header);
  };

  /** What is known of blocks that the disk has yet to take. */
  let news: (() => void) | null = null;
  const isOnDisk = (): boolean => {
    if (!pending.flush()) return false;
    const tellNews = news;
    news = null;
    tellNews?.();
    return true;
  };
  const prune = (): void => {
    try {
      store.prune(window.root.slot - options.keepSlots);
    } catch (error) {
      // The next time does it all.
      options.refused(error);
    }
  };

  settle(window, options);
  enterOpenSlot();

  return {
    genesisHash,
    window,
    queries,
    record: (transaction, execution) => {
      const block = openBlockOf(window);
      const mentions = execution.touched.map(({ address }) => address);
      const entry: LedgerTransaction = {
        slot: block.slot,
        index: block.transactions.size,
        signature: base58(transaction.signatures[0]!),
        err: execution.err,
        memo: memoOf(transaction.message),
        version: transaction.message.version,
        wire: transaction.wire,
        body: transactionJson(transaction, mentions),
        meta: metaJson(execution, decimals),
        mentions,
      };
      block.transactions.set(entry.signature, entry);
      const { changed, first } = noteChanges(block, execution.touched);
      pending.add(entry, changed, first);
      const addresses = changed.map(({ address }) => address);
      tell(listener => listener.executed(block, entry, addresses));
      return pending.durable();
    },
    advance: () => {
      if (!isOnDisk()) return;
      if (hold > 0) {
        hold -= 1;
        return;
      }
      const block = openBlockOf(window);
      close(block);
      openAfter(block.slot, block.height + 1);
      const { confirmed, finalized } = settle(window, options);
      news = () => {
        for (const each of confirmed) tell(listener => listener.reached(each, 'confirmed'));
        for (const each of finalized) tell(listener => listener.reached(each, 'finalized'));
        tell(listener => listener.opened(openBlockOf(window).slot, block.slot, window.root.slot));
      };
      if (isOnDisk() && block.slot % PRUNE_EVERY === 0) prune();
    },
    fork: blocks => {
      if (!isOnDisk()) throw new Error('the disk refuses to be written to');
      const { kept, dropped, restored } = forkPlan(window, blocks);
      for (const [address, account] of restored) engine.setAccount(address, account);
      const newest = openBlockOf(window);
      const parent = kept.at(-1)?.header ?? window.root;
      window.blocks.splice(0, window.blocks.length, ...kept);
      window.recent = queries.newestBlocks(parent.slot, window.recent.length);
      openAfter(newest.slot, parent.height + 1);
      const transactions = dropped.flatMap(block => [...block.transactions.values()]);
      store.revert({ fromSlot: dropped[0]!.slot, transactions, accounts: restored, ...tips() });
      return { sharedSlot: parent.slot, slots: dropped.map(({ slot }) => slot), transactions };
    },
    flush: () => void pending.flush(),
    listen: listener => {
      listeners.push(listener);
    },
  };
}
