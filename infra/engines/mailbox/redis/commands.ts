import type { Redis } from 'ioredis';
import { type Limits, MailboxFull, type Message, type Posted } from '../../../../contracts/ports/mailbox';
import type { Parcel } from '../rules';
import type { Keys } from './keys';
import { POST, READ } from './scripts';

export interface Commands {
  post(parcel: Parcel): Promise<Posted | MailboxFull>;
  read(to: readonly string[], after: number, limit: number): Promise<readonly Message[]>;
}

interface Scripted {
  mailboxPost(...args: (string | number)[]): Promise<['fresh' | 'known' | 'full', string]>;
  mailboxRead(...args: (string | number)[]): Promise<(string | number)[]>;
}

type Letter = [expires: number, from: string, body: string, headers: Record<string, string>];

/** @param clock where it is not that of Redis */
export function createCommands(
  client: Redis,
  { keys, limits, clock }: { keys: Keys; limits: Limits; clock: (() => number) | undefined },
): Commands {
  client.defineCommand('mailboxPost', { lua: POST, numberOfKeys: 4 });
  client.defineCommand('mailboxRead', { lua: READ });
  const scripted = client as unknown as Scripted;
  const now = (): number | '' => (clock ? Math.floor(clock()) : '');
  // A replica that took over may not know of the last ids, and its clock may be behind.
  let seen = 0;

  return {
    post: async ({ from, to, body, headers, ttl, size, digest }) => {
      const rest = JSON.stringify([from, body, headers]).slice(1);
      const about = [keys.channel(to), digest, rest, size, ttl, limits.messages, limits.bytes, seen, now()];
      const [outcome, value] = await scripted.mailboxPost(keys.last, ...keys.box(to), ...about);
      if (outcome === 'full') return new MailboxFull(to, Number(value));
      const id = Number(value);
      seen = Math.max(seen, id);
      return { id, fresh: outcome === 'fresh' };
    },
    read: async (to, after, limit) => {
      const boxes = to.flatMap(keys.box);
      const answer = await scripted.mailboxRead(boxes.length, ...boxes, after, limit, now());
      return Array.from({ length: answer.length / 3 }, (_, n): Message => {
        const [box, id, letter] = answer.slice(3 * n, 3 * n + 3) as [number, string, string];
        const [expires, from, body, headers] = JSON.parse(letter) as Letter;
        return { id: Number(id), from, to: to[box - 1]!, body, headers, expires };
      });
    },
  };
}
