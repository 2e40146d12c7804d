import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { WakeUps } from '../../../contracts/ports/wake-ups';
import { checkRedis } from '../redis/check-redis';
import { closeClient, createClient } from '../redis/client';
import { createLocalWakeUps } from './local';

export interface RedisWakeUpsOptions {
  /** `redis://` or, over TLS, `rediss://`. */
  readonly url: string;
  /** Prefix of the channel's name; default `tidemark`. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/** Names notified within this time are published in one message. */
const BATCH_MS = 5;
/** How often a waiter reads again while Redis is not available. */
const POLL_MS = 500;
/** Detects a connection that was lost without notice. */
const PING_INTERVAL_MS = 10_000;

interface Notification {
  readonly sender: string;
  /** Null for all names. */
  readonly names: readonly string[] | null;
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

  // Notifications may have been lost. Closing the local wake-ups wakes all waiters; they can still be used.
  const wakeAll = (): void => void local.close();
  subscriber.on('close', wakeAll);
  subscriber.on('message', (_channel: string, text: string) => {
    const notification = JSON.parse(text) as Notification;
    if (notification.sender === sender) return;
    if (notification.names) local.notify(notification.names);
    else wakeAll();
  });
  await subscriber.subscribe(channel);
  // The client has subscribed again before it is ready again.
  subscriber.on('ready', wakeAll);
  const pings = setInterval(() => void subscriber.ping().catch(() => undefined), PING_INTERVAL_MS);

  const pending = new Set<string>();
  /** A notification may not have been published: the other processes then read everything again. */
  let lost = false;
  let timer: NodeJS.Timeout | undefined;
  const publish = (): void => {
    timer = undefined;
    if (pending.size === 0 && !lost) return;
    const notification: Notification = { sender, names: lost ? null : [...pending] };
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
    notify(names) {
      local.notify(names);
      for (const name of names) pending.add(name);
      timer ??= setTimeout(publish, 0);
    },
    wait: (names, timeoutMs) =>
      local.wait(names, subscriber.status === 'ready' ? timeoutMs : Math.min(timeoutMs, POLL_MS)),
    async close() {
      clearTimeout(timer);
      clearInterval(pings);
      await Promise.all([closeClient(publisher), closeClient(subscriber)]);
      wakeAll();
    },
  };
}
