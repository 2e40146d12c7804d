import { setImmediate as turn } from 'node:timers/promises';
import { retryWhileBusy } from './retry-while-busy';

export interface GroupCommit<Item, Result> {
  /** Resolves or rejects with this item's own outcome, once the transaction it was part of is durable. */
  add(item: Item): Promise<Result>;
  /** Resolves when everything added before has been settled. */
  drained(): Promise<void>;
}

export interface GroupCommitOptions<Item, Result> {
  /**
   * Runs a group in one transaction and returns the outcome of each item, in order; an Error rejects that item alone.
   * When it throws, nothing was written and all of them are rejected, except that SQLITE_BUSY is retried. An asynchronous
   * one waits for the lock itself.
   */
  commit(items: readonly Item[]): (Result | Error)[] | Promise<(Result | Error)[]>;
  weight(item: Item): number;
  /** Maximum weight of one group, unless a single item has more. */
  capacity: number;
}

interface Entry<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Waiting for the disk is most of the cost of a small transaction: items that arrive meanwhile share the next one. */
export function groupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  const { commit, weight, capacity } = options;
  let queue: Entry<Item, Result>[] = [];
  let running: Promise<void> | null = null;

  const takeGroup = (): Entry<Item, Result>[] => {
    let count = 0;
    for (let sum = 0; count < queue.length; count += 1) {
      sum += weight(queue[count]!.item);
      if (count > 0 && sum > capacity) break;
    }
    const group = queue.slice(0, count);
    queue = queue.slice(count);
    return group;
  };
  const settle = async (group: readonly Entry<Item, Result>[]): Promise<void> => {
    const items = group.map(entry => entry.item);
    try {
      const outcomes = await retryWhileBusy(() => commit(items));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] as Result | Error;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      // After the poll phase, so that what the sockets delivered in this turn joins the group.
      await turn();
      await settle(takeGroup());
    }
    running = null;
  };

  return {
    add: item =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        running ??= run();
      }),
    drained: async () => {
      await running;
    },
  };
}
