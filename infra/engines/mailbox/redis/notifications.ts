import type { Redis } from 'ioredis';
import type { Subscriptions } from '../subscriptions';
import { publishedMessage } from './commands';
import type { Keys } from './keys';
import { asUnavailable } from './unavailable';

/**
 * Offers the messages posted by any process to the subscribers of this one, through one pub/sub connection. Messages may be
 * posted while the connection is lost: everything is read again when it is restored.
 * @param connection used for nothing else
 */
export function createNotifications(
  connection: Redis,
  keys: Keys,
  subscriptions: Pick<Subscriptions, 'has' | 'offer' | 'readAgain'>,
) {
  let isComplete = true;
  const restored = (): void => {
    isComplete = true;
    subscriptions.readAgain();
  };
  connection.on('message', (channel: string, published: string) => {
    // An earlier one may be missing, which a subscriber would never read after this one.
    if (isComplete) subscriptions.offer(publishedMessage(keys.recipientOf(channel), published));
  });
  connection.on('close', () => (isComplete = false));
  // The client resubscribes by itself; the reply to a later ping means that all subscriptions are back.
  connection.on('ready', () => void connection.ping().then(restored, () => undefined));

  return {
    /** When it resolves, no later message can be missed. @throws EngineUnavailable */
    async subscribe(recipients: readonly string[]): Promise<void> {
      await asUnavailable(connection.subscribe(...recipients.map(keys.channel)));
    },
    unsubscribe(recipients: readonly string[]): void {
      const channels = recipients.filter(recipient => !subscriptions.has(recipient)).map(keys.channel);
      // Fails only when the client is closed, and then there are no subscriptions.
      if (channels.length > 0) connection.unsubscribe(...channels).catch(() => undefined);
    },
  };
}
