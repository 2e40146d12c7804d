import { LRUCache } from 'lru-cache';
import { shareOf } from '../../contracts/bound';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import { atMost } from '../../contracts/engine/cache-bounds';

/** Reads at a time, of which each caller has a share, and so has each host: who asks for hosts that stall delays its own reads. */
export interface SharedSlots {
  /**
   * Runs a task once there is a slot for one of its callers. A task of a key that is waiting or running is not run twice: who
   * asks for it again has it run in a slot of its own, if there is one sooner.
   * @param task is given the caller in whose slot it runs
   * @throws TooManyWaiting
   */
  run<T>(key: string, asked: Asked, task: (caller: string) => Promise<T>): Promise<T>;
}

interface Asked {
  readonly caller: string;
  readonly host: string;
}

interface Task {
  readonly host: string;
  /** Who has asked, the first one first. */
  readonly callers: Set<string>;
  readonly run: (caller: string) => Promise<unknown>;
  readonly result: Promise<unknown>;
  readonly settle: (result: Promise<unknown>) => void;
}

/** Callers whose last turn is remembered. */
const MAX_TURNS = 10_000;

/**
 * Free slots go to the callers that have fewest, and of these to the one whose last turn was the longest ago.
 * @param max slots @param maxWaiting tasks
 */
export function createSharedSlots(max: number, maxWaiting: number): SharedSlots {
  const waiting = new Map<string, Task>();
  const running = new Map<string, Asked & { readonly task: Task }>();
  const turns = new LRUCache<string, number>(atMost(MAX_TURNS));
  const share = shareOf(max);
  let turn = 0;

  const slotsOf = (of: Partial<Asked>): number =>
    [...running.values()].filter(
      ({ caller, host }) => caller === (of.caller ?? caller) && host === (of.host ?? host),
    ).length;
  const waitingOf = (caller: string): string[] =>
    [...waiting].filter(([, { callers }]) => first(callers) === caller).map(([key]) => key);

  function next(): { readonly key: string; readonly task: Task; readonly caller: string } | null {
    const found = [...waiting].flatMap(([key, task]) =>
      slotsOf({ host: task.host }) >= share
        ? []
        : [...task.callers].map(caller => {
            const slots = slotsOf({ caller });
            return { key, task, caller, slots, turn: turns.get(caller) ?? 0 };
          }),
    );
    const allowed = found.filter(({ slots }) => slots < share);
    return allowed.sort((a, b) => a.slots - b.slots || a.turn - b.turn)[0] ?? null;
  }

  function start(): void {
    while (running.size < max) {
      const chosen = next();
      if (!chosen) return;
      const { key, task, caller } = chosen;
      waiting.delete(key);
      running.set(key, { caller, host: task.host, task });
      turns.set(caller, ++turn);
      const result = task.run(caller);
      task.settle(result);
      const end = (): void => {
        running.delete(key);
        start();
      };
      result.then(end, end);
    }
  }

  /** The last task of the caller that waits for most loses its place. */
  function makeRoom(caller: string): void {
    const own = waitingOf(caller);
    if (own.length >= shareOf(maxWaiting)) throw new TooManyWaiting('too many reads of this caller wait');
    if (waiting.size < maxWaiting) return;
    const byCaller = [...new Set([...waiting.values()].map(({ callers }) => first(callers)))].map(waitingOf);
    const key = byCaller.reduce((most, each) => (each.length > most.length ? each : most)).at(-1)!;
    waiting.get(key)!.settle(Promise.reject(new TooManyWaiting('others have fewer reads that wait')));
    waiting.delete(key);
  }

  return {
    async run<T>(key: string, { caller, host }: Asked, run: (caller: string) => Promise<T>): Promise<T> {
      const known = waiting.get(key) ?? running.get(key)?.task;
      const task = known ?? createTask(host, run);
      if (!known) {
        makeRoom(caller);
        waiting.set(key, task);
      }
      task.callers.add(caller);
      start();
      return task.result as Promise<T>;
    },
  };
}

function createTask(host: string, run: Task['run']): Task {
  let settle: Task['settle'];
  const result = new Promise<unknown>(resolve => (settle = resolve));
  result.catch(() => undefined); // who has asked may have stopped waiting
  return { host, callers: new Set(), run, result, settle: settle! };
}

const first = (callers: ReadonlySet<string>): string => [...callers][0]!;
