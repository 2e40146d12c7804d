import type { Logger } from 'pino';
import { closeClient, createClient } from '../../redis/client';
import { checkRedis } from '../../redis/open';
import { follow } from '../follow';
import type { Limits, Mailbox } from '../../../../contracts/ports/mailbox';
import { answered } from './answered';
import { createCommands } from './commands';
import { keepAlive } from './keep-alive';
import { createKeys } from './keys';
import { createRinging } from './ringing';
import { checkLimit, LIMITS, parcel, recipients } from '../rules';

export interface RedisMailboxOptions {
  /** `redis://` or, over TLS, `rediss://`; one Redis, not a cluster. */
  readonly url: string;
  /** What all keys and channels begin with; default `tidemark`. */
  readonly prefix?: string;
  /** For each recipient; default 10,000 messages and 16 MiB. */
  readonly limits?: Limits;
  /** Milliseconds since the epoch; default: the clock of Redis. */
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/**
 * A mailbox in Redis. A message that was posted is as durable as Redis is set up: see the jobs, which share it. Who
 * follows waits for a Redis that is away; everything else throws EngineUnavailable after some seconds.
 * @throws CannotOpen
 */
export async function openRedisMailbox(options: RedisMailboxOptions): Promise<Mailbox> {
  const { url, prefix = 'tidemark', limits = LIMITS, clock, logger } = options;
  await checkRedis(url, prefix);
  const prompt = createClient(url, 'prompt', logger);
  const patient = createClient(url, 'patient');
  const subscriber = createClient(url, 'patient');
  const keys = createKeys(prefix);
  const now = createCommands(prompt, { keys, limits, clock });
  const later = createCommands(patient, { keys, limits, clock });
  const ringing = createRinging(subscriber, keys);
  const pulses = [patient, subscriber].map(keepAlive);

  return {
    post: async message => {
      const outcome = await answered(now.post(parcel(message, limits)));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    read: async reading => {
      checkLimit(reading.limit);
      return answered(now.read(recipients(reading), reading.after, reading.limit));
    },
    follow: following => {
      const to = recipients(following);
      const read = (after: number, limit: number) => answered(later.read(to, after, limit));
      return follow(() => ringing.listen(to), read, following.after, following.signal);
    },
    close: async () => {
      for (const end of pulses) end();
      ringing.close();
      await Promise.all([prompt, patient, subscriber].map(closeClient));
    },
  };
}
