import type { Redis } from 'ioredis';
import {
  MailboxFull,
  type MailboxLimits,
  type Message,
  type Posted,
} from '../../../../contracts/ports/mailbox';
import type { Page } from '../pages';
import type { PreparedMessage } from '../validation';
import type { Keys } from './keys';
import { POST, READ } from './scripts';
import { readJson } from '../../../../contracts/json/read-json';

export interface Commands {
  post(message: PreparedMessage): Promise<Posted | MailboxFull>;
  read(to: readonly string[], after: number, limit: number): Promise<Page>;
}

interface ScriptClient {
  mailboxPost(...args: (string | number)[]): Promise<['new' | 'duplicate' | 'full', string]>;
  mailboxRead(...args: (string | number)[]): Promise<(string | number)[]>;
}

type StoredMessage = [expiresAt: number, from: string, body: string, headers: Record<string, string>];

/** @param clock default: the clock of Redis */
export function createCommands(
  client: Redis,
  { keys, limits, clock }: { keys: Keys; limits: MailboxLimits; clock: (() => number) | undefined },
): Commands {
  client.defineCommand('mailboxPost', { lua: POST, numberOfKeys: 6 });
  client.defineCommand('mailboxRead', { lua: READ });
  const scripts = client as unknown as ScriptClient;
  const now = (): number | '' => (clock ? Math.floor(clock()) : '');
  // After a failover the new master may not have the last ids, and its clock may be behind.
  let maxSeenId = 0;

  return {
    post: async ({ from, to, body, headers, source, ttlMs, size, storedBytes, digest }) => {
      const content = JSON.stringify([from, body, headers]).slice(1);
      const { messages, bytes, totalBytes } = limits;
      const limit = [messages, bytes, totalBytes, source];
      const args = [keys.channel(to), digest, content, size, storedBytes, ttlMs, ...limit, maxSeenId, now()];
      const postKeys = [keys.lastId, ...keys.mailbox(to), ...keys.all];
      const [outcome, value] = await scripts.mailboxPost(...postKeys, ...args);
      if (outcome === 'full') return new MailboxFull(to, Number(value));
      const id = Number(value);
      maxSeenId = Math.max(maxSeenId, id);
      return { id, isNew: outcome === 'new' };
    },
    read: async (to, after, limit) => {
      const mailboxKeys = to.flatMap(keys.mailbox);
      const [more, ...reply] = await scripts.mailboxRead(
        mailboxKeys.length,
        ...mailboxKeys,
        after,
        limit,
        now(),
      );
      const messages = Array.from({ length: reply.length / 3 }, (_, n): Message => {
        const [recipient, id, stored] = reply.slice(3 * n, 3 * n + 3) as [number, string, string];
        return storedMessage(Number(id), to[recipient - 1]!, stored);
      });
      return { messages, next: more === 1 ? messages.at(-1)!.id : null };
    },
  };
}

/** @param published by the script of a post */
export function publishedMessage(to: string, published: string): Message {
  const end = published.indexOf('[');
  return storedMessage(Number(published.slice(0, end)), to, published.slice(end));
}

function storedMessage(id: number, to: string, stored: string): Message {
  const [expiresAt, from, body, headers] = readJson(stored) as StoredMessage;
  return { id, from, to, body, headers, expiresAt };
}
