import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiled } from '../../../infra/engines/compiled';
import type { Limits, Mailbox, Message, NewMessage, Reading } from '../../../contracts/ports/mailbox';
import { placesOf } from '../places';

export { until } from '../../until';

export interface Settings {
  readonly limits?: Limits;
  readonly clock?: () => number;
}

export type OpenMailbox = (place: string, settings: Settings) => Promise<Mailbox>;

export interface Follower {
  /** All that has come. */
  readonly messages: readonly Message[];
  stop(): void;
  readonly ended: Promise<void>;
}

/** A process that posts for as long as it lives. */
export interface Poster {
  /** What it was told is there. */
  readonly acknowledged: readonly { readonly id: number; readonly body: string }[];
  kill(): Promise<void>;
}

export interface Places {
  /** A mailbox at a new place, with nothing in it. */
  fresh(settings?: Settings): Promise<Mailbox>;
  /** Another client of the mailbox opened last. */
  another(): Promise<Mailbox>;
  /** Follows until the test is over. */
  follow(mailbox: Mailbox, following?: Partial<Reading>): Follower;
  /** Starts a process that posts to the mailbox opened last, to the recipients in turn. */
  poster(to: readonly string[]): Poster;
}

const startPoster = (args: readonly string[]): Poster => {
  const child: ChildProcess = fork(compiled(join(__dirname, 'poster.ts')), args);
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

export function mailboxesAt(open: OpenMailbox, argsFor: (place: string) => readonly string[]): Places {
  let settings: Settings = {};
  let place = '';
  let followers: Follower[] = [];
  let posters: Poster[] = [];
  const places = placesOf(
    name => open((place = name), settings),
    async () => {
      await Promise.all(posters.map(poster => poster.kill()));
      for (const follower of followers) follower.stop();
      await Promise.all(followers.map(follower => follower.ended));
      [followers, posters] = [[], []];
    },
  );
  return {
    fresh: (chosen = {}) => {
      settings = chosen;
      return places.fresh();
    },
    another: places.another,
    follow: (mailbox, following) => {
      const end = new AbortController();
      const messages: Message[] = [];
      const run = async (): Promise<void> => {
        const batches = mailbox.follow({ to: ['bob'], after: 0, ...following, signal: end.signal });
        for await (const batch of batches) messages.push(...batch);
      };
      const follower = { messages, stop: () => end.abort(), ended: run() };
      followers.push(follower);
      return follower;
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
    ttl: 300_000,
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
