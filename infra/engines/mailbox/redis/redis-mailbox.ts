import type { Logger } from 'pino';
import type { Mailbox, MailboxLimits } from '../../../../contracts/ports/mailbox';
import { checkRedis } from '../../redis/check-redis';
import { closeClient, createClient } from '../../redis/client';
import { createSubscriptions } from '../subscriptions';
import { checkLimit, DEFAULT_LIMITS, prepareMessage, recipientsOf } from '../validation';
import { createCommands } from './commands';
import { keepAlive } from './keep-alive';
import { createKeys } from './keys';
import { createNotifications } from './notifications';
import { asUnavailable } from './unavailable';

export interface RedisMailboxOptions {
  /** `redis://` or, over TLS, `rediss://`; one Redis, not a cluster. */
  readonly url: string;
  /** Prefix of all keys and channels; default `tidemark`. */
  readonly prefix?: string;
  /** Default: 10,000 messages and 16 MiB per recipient, 1 GiB in all. */
  readonly limits?: Partial<MailboxLimits>;
  /** Milliseconds since the epoch; default: the clock of Redis. */
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/**
 * A mailbox in Redis. Messages are as durable as Redis is configured: see the jobs, which share it. Subscriptions
 * outlive an outage of Redis; all else throws EngineUnavailable after some seconds.
 * @throws CannotOpen
 */
export async function openRedisMailbox(options: RedisMailboxOptions): Promise<Mailbox> {
  const { url, prefix = 'tidemark', clock, logger } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  await checkRedis(url, prefix, logger);
  const interactive = createClient(url, 'interactive', logger);
  const persistent = createClient(url, 'persistent');
  const subscriber = createClient(url, 'persistent');
  const keys = createKeys(prefix);
  const commands = createCommands(interactive, { keys, limits, clock });
  const persistentCommands = createCommands(persistent, { keys, limits, clock });
  const subscriptions = createSubscriptions(
    (to, after, limit) => asUnavailable(persistentCommands.read(to, after, limit)),
    recipients => notifications.unsubscribe(recipients),
  );
  const notifications = createNotifications(subscriber, keys, subscriptions);
  const pings = [persistent, subscriber].map(keepAlive);

  return {
    post: async message => {
      const outcome = await asUnavailable(commands.post(prepareMessage(message, limits)));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    read: async query => {
      checkLimit(query.limit);
      const { messages } = await asUnavailable(commands.read(recipientsOf(query), query.after, query.limit));
      return messages;
    },
    subscribe: (filter, subscriber) => {
      const to = recipientsOf(filter);
      const subscription = subscriptions.add({ to, after: filter.after }, subscriber);
      notifications.subscribe(to).then(
        () => subscription.start(),
        (error: unknown) => subscription.fail(error),
      );
      return subscription;
    },
    close: async () => {
      for (const stop of pings) stop();
      subscriptions.close();
      await Promise.all([interactive, persistent, subscriber].map(closeClient));
    },
  };
}
