import type { Redis } from 'ioredis';
import {
  MailboxFull,
  type MailboxLimits,
  type Message,
  type Posted,
} from '../../../../contracts/ports/mailbox';
import type { PreparedMessage } from '../validation';
import type { Keys } from './keys';
import { POST, READ } from './scripts';

export interface Commands {
  post(message: PreparedMessage): Promise<Posted | MailboxFull>;
  read(to: readonly string[], after: number, limit: number): Promise<readonly Message[]>;
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
  client.defineCommand('mailboxPost', { lua: POST, numberOfKeys: 4 });
  client.defineCommand('mailboxRead', { lua: READ });
  const scripts = client as unknown as ScriptClient;
  const now = (): number | '' => (clock ? Math.floor(clock()) : '');
  // After a failover the new master may not have the last ids, and its clock may be behind.
  let maxSeenId = 0;

  return {
    post: async ({ from, to, body, headers, ttlMs, size, digest }) => {
      const content = JSON.stringify([from, body, headers]).slice(1);
      const { messages, bytes } = limits;
      const args = [keys.channel(to), digest, content, size, ttlMs, messages, bytes, maxSeenId, now()];
      const [outcome, value] = await scripts.mailboxPost(keys.lastId, ...keys.mailbox(to), ...args);
      if (outcome === 'full') return new MailboxFull(to, Number(value));
      const id = Number(value);
      maxSeenId = Math.max(maxSeenId, id);
      return { id, isNew: outcome === 'new' };
    },
    read: async (to, after, limit) => {
      const mailboxKeys = to.flatMap(keys.mailbox);
      const reply = await scripts.mailboxRead(mailboxKeys.length, ...mailboxKeys, after, limit, now());
      return Array.from({ length: reply.length / 3 }, (_, n): Message => {
        const [recipient, id, stored] = reply.slice(3 * n, 3 * n + 3) as [number, string, string];
        const [expiresAt, from, body, headers] = JSON.parse(stored) as StoredMessage;
        return { id: Number(id), from, to: to[recipient - 1]!, body, headers, expiresAt };
      });
    },
  };
}
