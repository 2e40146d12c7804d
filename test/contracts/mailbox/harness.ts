import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledPath } from '../../../infra/engines/compiled-path';
import type {
  MailboxLimits,
  Mailbox,
  Message,
  NewMessage,
  MessageFilter,
} from '../../../contracts/ports/mailbox';
import { createHarness } from '../harness';

export { until } from '../../until';

export interface Settings {
  readonly limits?: Partial<MailboxLimits>;
  readonly clock?: () => number;
}

export type OpenMailbox = (place: string, settings: Settings) => Promise<Mailbox>;

/** A subscriber that takes everything. */
export interface Receiver {
  /** All messages received. */
  readonly messages: readonly Message[];
  /** How many of them were there at the beginning; null until all of these have been received. */
  readonly backlog: number | null;
  stop(): void;
  /** After `stop`, or when the mailbox was closed. Rejects when the subscription has failed. */
  readonly ended: Promise<void>;
}

export function receiveAll(mailbox: Mailbox, filter: Partial<MessageFilter> = {}): Receiver {
  const messages: Message[] = [];
  let backlog: number | null = null;
  let end!: (error?: unknown) => void;
  const ended = new Promise<void>((resolve, reject) => {
    // Rejects with what the mailbox has thrown.
    end = error => (error === undefined ? resolve() : reject(error as Error));
  });
  const subscription = mailbox.subscribe(
    { to: ['bob'], after: 0, ...filter },
    {
      receive: batch => {
        messages.push(...batch);
        return true;
      },
      caughtUp: () => (backlog = messages.length),
      ended: error => end(error),
    },
  );
  return {
    messages,
    get backlog() {
      return backlog;
    },
    stop: () => {
      subscription.close();
      end();
    },
    ended,
  };
}

/** A process that posts until it is killed. */
export interface Poster {
  /** The messages whose posts were acknowledged. */
  readonly acknowledged: readonly { readonly id: number; readonly body: string }[];
  kill(): Promise<void>;
}

export interface MailboxHarness {
  /** A client of a new, empty mailbox. */
  fresh(settings?: Settings): Promise<Mailbox>;
  /** Another client of the mailbox opened last. */
  another(): Promise<Mailbox>;
  /** Subscribes until the test is over. */
  subscribe(mailbox: Mailbox, filter?: Partial<MessageFilter>): Receiver;
  /** Starts a process that posts to the mailbox opened last, to the recipients in turn. */
  poster(to: readonly string[]): Poster;
}

const startPoster = (args: readonly string[]): Poster => {
  const child: ChildProcess = fork(compiledPath(join(__dirname, 'posting-process.ts')), args);
  const acknowledged: { id: number; body: string }[] = [];
  child.on('message', message => acknowledged.push(message as { id: number; body: string }));
  return {
    acknowledged,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
};

export function createMailboxHarness(
  open: OpenMailbox,
  argsFor: (place: string) => readonly string[],
): MailboxHarness {
  let settings: Settings = {};
  let place = '';
  let subscribers: Receiver[] = [];
  let posters: Poster[] = [];
  const harness = createHarness(
    name => open((place = name), settings),
    async () => {
      await Promise.all(posters.map(poster => poster.kill()));
      for (const subscriber of subscribers) subscriber.stop();
      await Promise.all(subscribers.map(subscriber => subscriber.ended));
      [subscribers, posters] = [[], []];
    },
  );
  return {
    fresh: (chosen = {}) => {
      settings = chosen;
      return harness.fresh();
    },
    another: harness.another,
    subscribe: (mailbox, filter) => {
      const subscriber = receiveAll(mailbox, filter);
      subscribers.push(subscriber);
      return subscriber;
    },
    poster: to => {
      const poster = startPoster([...to, '--', ...argsFor(place)]);
      posters.push(poster);
      return poster;
    },
  };
}

/** A message from ann to bob. */
export function mail(body: string, different: Partial<NewMessage> = {}): NewMessage {
  return {
    from: 'ann',
    to: 'bob',
    body,
    ttlMs: 300_000,
    ...different,
  };
}

export function all(mailbox: Mailbox, ...to: string[]): Promise<readonly Message[]> {
  return mailbox.read({ to: to.length > 0 ? to : ['bob'], after: 0, limit: 1_000 });
}

export function bodies(messages: readonly Message[]): string[] {
  return messages.map(({ body }) => body);
}
export function ids(messages: readonly { readonly id: number }[]): number[] {
  return messages.map(({ id }) => id);
}
export function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${n}`);
}
