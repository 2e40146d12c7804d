import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { closeClient, createClient } from '../redis/client';
import { checkRedis } from '../redis/open';
import { createLocalWakeUps } from './local';
import type { WakeUps } from './port';

export interface RedisWakeUpsOptions {
  /** `redis://` or, over TLS, `rediss://`. */
  readonly url: string;
  /** What the channel's name begins with; default `tidemark`. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/** Milliseconds; all that is announced in between goes in one message. */
const SPACING = 5;
/** Milliseconds after which sleepers look again while Redis is away. */
const POLL = 500;
/** Milliseconds between two signs of life: a connection that was cut silently would stay deaf. */
const PULSE = 10_000;

interface Word {
  readonly from: string;
  /** Null for everybody. */
  readonly names: readonly string[] | null;
}

/**
 * Wake-ups through one channel of Redis. Within the process they need no Redis; while it is away the other processes
 * are noticed by polling.
 * @throws CannotOpen
 */
export async function openRedisWakeUps({
  url,
  prefix = 'tidemark',
  logger,
}: RedisWakeUpsOptions): Promise<WakeUps> {
  await checkRedis(url, prefix);
  const channel = `${prefix}:wake-ups`;
  const from = randomUUID();
  const local = createLocalWakeUps();
  const publisher = createClient(url, 'prompt');
  const subscriber = createClient(url, 'patient', logger);

  // Word may have been lost since. Closing the local ones wakes everybody; they go on.
  const wakeAll = (): void => void local.close();
  subscriber.on('close', wakeAll);
  subscriber.on('message', (_channel: string, text: string) => {
    const word = JSON.parse(text) as Word;
    if (word.from === from) return;
    if (word.names) local.announce(word.names);
    else wakeAll();
  });
  await subscriber.subscribe(channel);
  // The client subscribes again by itself before it is ready again.
  subscriber.on('ready', wakeAll);
  const pulse = setInterval(() => void subscriber.ping().catch(() => undefined), PULSE);

  const pending = new Set<string>();
  /** Something was announced that may not have reached the others, who were perhaps connected all the time. */
  let missed = false;
  let spacing: NodeJS.Timeout | undefined;
  const publish = (): void => {
    spacing = undefined;
    if (pending.size === 0 && !missed) return;
    const word: Word = { from, names: missed ? null : [...pending] };
    pending.clear();
    missed = publisher.status !== 'ready';
    if (missed) return;
    spacing = setTimeout(publish, SPACING);
    publisher.publish(channel, JSON.stringify(word)).catch(() => (missed = true));
  };
  publisher.on('ready', () => {
    if (missed) spacing ??= setTimeout(publish, 0);
  });

  return {
    announce(names) {
      local.announce(names);
      for (const name of names) pending.add(name);
      spacing ??= setTimeout(publish, 0);
    },
    changed: (names, timeout) =>
      local.changed(names, subscriber.status === 'ready' ? timeout : Math.min(timeout, POLL)),
    async close() {
      clearTimeout(spacing);
      clearInterval(pulse);
      await Promise.all([closeClient(publisher), closeClient(subscriber)]);
      wakeAll();
    },
  };
}
