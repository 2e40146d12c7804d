import type { Message, MessageFilter, Subscriber, Subscription } from '../../../contracts/ports/mailbox';
import { sharePages, type Page, type ReadPage } from './pages';

/** The subscriptions of this process, by recipient. */
export interface Subscriptions {
  /** Waits for `start`, to be called as soon as `offer` gets each later message. */
  add(filter: MessageFilter, subscriber: Subscriber): StartableSubscription;
  has(recipient: string): boolean;
  /** Delivers a new message to those who wait for it. To be called for each, in the order of their ids. */
  offer(message: Message): void;
  /** Messages may have been stored that were not offered. */
  readAgain(): void;
  /** Ends all subscriptions, including future ones. */
  close(): void;
}

export interface StartableSubscription extends Subscription {
  start(): void;
  fail(error: unknown): void;
}

const PAGE_ROWS = 500;

/**
 * - `reading`: a page of what is stored was requested
 * - `live`: everything stored has been received, new messages are delivered as they are offered
 * - `paused`: the subscriber has not received everything, and takes nothing for now
 */
type State = 'reading' | 'live' | 'paused' | 'closed';

class OpenSubscription implements StartableSubscription {
  #state: State = 'reading';
  /** Something may be stored that was not received. */
  #isBehind = true;
  #isCaughtUp = false;
  #after: number;

  constructor(
    readonly to: readonly string[],
    after: number,
    private readonly subscriber: Subscriber,
    private readonly readPage: ReadPage,
    private readonly later: (task: () => void) => void,
    private readonly onClose: (subscription: OpenSubscription) => void,
  ) {
    this.#after = after;
  }

  start(): void {
    if (this.#state === 'reading') this.#read();
  }

  offer(message: Message): void {
    if (message.id <= this.#after) return;
    if (this.#state === 'live') this.#deliver([message]);
    else this.#isBehind = true;
  }

  readAgain(): void {
    this.#isBehind = true;
    if (this.#state === 'live') this.#read();
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'live';
    this.#continue();
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.onClose(this);
  }

  /** Ends the subscription, with an error or because the mailbox was closed. */
  fail(error?: unknown): void {
    if (this.#state === 'closed') return;
    this.close();
    this.subscriber.ended(error);
  }

  #read(): void {
    this.#state = 'reading';
    this.#isBehind = false;
    try {
      const page = this.readPage(this.to, this.#after, PAGE_ROWS);
      if (page instanceof Promise)
        page.then(
          read => this.#received(read),
          (error: unknown) => this.fail(error),
        );
      else this.#received(page);
    } catch (error) {
      this.fail(error);
    }
  }

  #received({ messages, next }: Page): void {
    if (this.#isClosed()) return;
    this.#state = 'live';
    if (next !== null) this.#isBehind = true;
    if (messages.length > 0) this.#deliver(messages);
    if (next !== null) this.#after = next;
    if (this.#state === 'live') this.#continue();
  }

  #deliver(messages: readonly Message[]): void {
    this.#after = messages.at(-1)!.id;
    const takesMore = this.subscriber.receive(messages);
    if (!takesMore && !this.#isClosed()) this.#state = 'paused';
  }

  #continue(): void {
    if (this.#isBehind) {
      this.#state = 'reading';
      // In a later turn: other subscribers get theirs in between.
      this.later(() => this.start());
    } else if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      this.subscriber.caughtUp?.();
    }
  }

  /** By a callback, too. */
  #isClosed(): boolean {
    return this.#state === 'closed';
  }
}

/** Of one turn, after which everything else in the process has its own. */
const TURN_MS = 10;

/** Runs tasks in later turns, a few at a time: pages of very many streams would take seconds together. */
function createTurns(): (task: () => void) => void {
  let tasks: (() => void)[] = [];
  const run = (): void => {
    const until = performance.now() + TURN_MS;
    let done = 0;
    while (done < tasks.length && (done === 0 || performance.now() < until)) tasks[done++]!();
    tasks = tasks.slice(done);
    if (tasks.length > 0) setImmediate(run);
  };
  return task => {
    if (tasks.push(task) === 1) setImmediate(run);
  };
}

/** @param onUnsubscribe called with the recipients of a subscription that was closed */
export function createSubscriptions(
  readPage: ReadPage,
  onUnsubscribe: (recipients: readonly string[]) => void,
): Subscriptions {
  // Nearly all recipients have one, for which a set would be too large.
  const byRecipient = new Map<string, OpenSubscription | Set<OpenSubscription>>();
  const readShared = sharePages(readPage);
  const later = createTurns();
  let isOpen = true;

  const register = (subscription: OpenSubscription, recipient: string): void => {
    const existing = byRecipient.get(recipient);
    if (existing === undefined) byRecipient.set(recipient, subscription);
    else if (existing instanceof Set) existing.add(subscription);
    else byRecipient.set(recipient, new Set([existing, subscription]));
  };
  const unregister = (subscription: OpenSubscription, recipient: string): void => {
    const existing = byRecipient.get(recipient);
    if (existing === subscription) byRecipient.delete(recipient);
    else if (existing instanceof Set && existing.delete(subscription) && existing.size === 0)
      byRecipient.delete(recipient);
  };
  const remove = (subscription: OpenSubscription): void => {
    for (const recipient of subscription.to) unregister(subscription, recipient);
    onUnsubscribe(subscription.to);
  };
  const all = (): ReadonlySet<OpenSubscription> =>
    new Set([...byRecipient.values()].flatMap(each => (each instanceof Set ? [...each] : [each])));

  return {
    add: ({ to, after }, subscriber) => {
      const subscription = new OpenSubscription(to, after, subscriber, readShared, later, remove);
      for (const recipient of to) register(subscription, recipient);
      if (!isOpen) subscription.fail();
      return subscription;
    },
    has: recipient => byRecipient.has(recipient),
    offer: message => {
      const found = byRecipient.get(message.to);
      if (found instanceof Set) for (const each of [...found]) each.offer(message);
      else found?.offer(message);
    },
    readAgain: () => {
      for (const each of all()) each.readAgain();
    },
    close: () => {
      isOpen = false;
      for (const each of all()) each.fail();
    },
  };
}
