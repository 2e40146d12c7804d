import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ChangedParts, WakeUps } from '../../../contracts/ports/wake-ups';
import { checkRedis } from '../redis/check-redis';
import { closeClient, createClient } from '../redis/client';
import { createLocalWakeUps } from './local';
import { readJson } from '../../../contracts/json/read-json';

export interface RedisWakeUpsOptions {
  /** `redis://` or, over TLS, `rediss://`. */
  readonly url: string;
  /** Prefix of the channel's name; default `tidemark`. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/** Names notified within this time are published in one message. */
const BATCH_MS = 5;
/** How often waiters and subscribers read again while Redis is not available. */
const POLL_MS = 500;
/** Changed parts of one name in a message; with more, it says that anything may have changed. */
const MAX_PARTS = 10_000;
/** Detects a connection that was lost without notice. */
const PING_INTERVAL_MS = 10_000;

interface Notification {
  readonly sender: string;
  /** The changed parts of each name; null instead of them when unknown. Null for all names. */
  readonly changes: readonly (readonly [name: string, parts: readonly string[] | null])[] | null;
}

/**
 * Wake-ups through one pub/sub channel of Redis. Within the process they do not depend on Redis; while Redis is not
 * available, changes by other processes are found by polling.
 * @throws CannotOpen
 */
export async function openRedisWakeUps({
  url,
  prefix = 'tidemark',
  logger,
}: RedisWakeUpsOptions): Promise<WakeUps> {
  await checkRedis(url, prefix);
  const channel = `${prefix}:wake-ups`;
  const sender = randomUUID();
  const local = createLocalWakeUps();
  const publisher = createClient(url, 'interactive');
  const subscriber = createClient(url, 'persistent', logger);

  // Notifications may have been lost.
  const { wakeAll } = local;
  subscriber.on('close', wakeAll);
  subscriber.on('message', (_channel: string, text: string) => {
    const notification = readJson(text) as Notification;
    if (notification.sender === sender) return;
    if (!notification.changes) return wakeAll();
    for (const [name, parts] of notification.changes) local.notify([name], parts && new Set(parts));
  });
  await subscriber.subscribe(channel);
  // The client has subscribed again before it is ready again.
  subscriber.on('ready', wakeAll);
  const pings = setInterval(() => void subscriber.ping().catch(() => undefined), PING_INTERVAL_MS);
  const polls = setInterval(() => {
    if (subscriber.status !== 'ready') wakeAll();
  }, POLL_MS);

  const pending = new Map<string, Set<string> | null>();
  const addPending = (name: string, parts: ChangedParts): void => {
    const known = pending.get(name);
    if (known === null) return;
    const all = parts && (known ?? new Set<string>());
    if (all) for (const part of parts) all.add(part);
    pending.set(name, all && all.size <= MAX_PARTS ? all : null);
  };
  /** A notification may not have been published: the other processes then read everything again. */
  let lost = false;
  let timer: NodeJS.Timeout | undefined;
  const publish = (): void => {
    timer = undefined;
    if (pending.size === 0 && !lost) return;
    const changes = Array.from(pending, ([name, parts]) => [name, parts && [...parts]] as const);
    const notification: Notification = { sender, changes: lost ? null : changes };
    pending.clear();
    lost = publisher.status !== 'ready';
    if (lost) return;
    timer = setTimeout(publish, BATCH_MS);
    publisher.publish(channel, JSON.stringify(notification)).catch(() => (lost = true));
  };
  publisher.on('ready', () => {
    if (lost) timer ??= setTimeout(publish, 0);
  });

  return {
    notify(names, parts = null) {
      local.notify(names, parts);
      for (const name of names) addPending(name, parts);
      timer ??= setTimeout(publish, 0);
    },
    wait: (names, timeoutMs) =>
      local.wait(names, subscriber.status === 'ready' ? timeoutMs : Math.min(timeoutMs, POLL_MS)),
    subscribe: local.subscribe,
    async close() {
      clearTimeout(timer);
      clearInterval(pings);
      clearInterval(polls);
      await Promise.all([closeClient(publisher), closeClient(subscriber)]);
      await local.close();
    },
  };
}
