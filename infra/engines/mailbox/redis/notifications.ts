import type { Redis } from 'ioredis';
import { createNotifier, type Notifier } from '../notifier';
import type { Signal } from '../signal';
import type { Keys } from './keys';
import { asUnavailable } from './unavailable';

/**
 * Notifies the subscribers of this process of messages posted by any process, through one pub/sub connection. Messages
 * may be posted while the connection is lost: all subscribers are notified when it is restored.
 * @param connection used for nothing else
 */
export function createNotifications(connection: Redis, keys: Keys) {
  const unsubscribe = (recipients: readonly string[]): void => {
    const channels = recipients.filter(recipient => !notifier.hasSubscribers(recipient)).map(keys.channel);
    // Fails only when the client is closed, and then there are no subscriptions.
    if (channels.length > 0) connection.unsubscribe(...channels).catch(() => undefined);
  };
  const notifier: Notifier = createNotifier(unsubscribe);

  connection.on('message', (channel: string) => notifier.notify(keys.recipientOf(channel)));
  // The client resubscribes by itself; the reply to a later ping means that all subscriptions are back.
  connection.on('ready', () => void connection.ping().then(notifier.notifyAll, () => undefined));

  return {
    /** The signal is notified for the first time when no later message can be missed. */
    subscribe: (recipients: readonly string[]): Signal => {
      const signal = notifier.subscribe(recipients);
      asUnavailable(connection.subscribe(...recipients.map(keys.channel))).then(signal.notify, signal.fail);
      return signal;
    },
    close: (): void => notifier.close(),
  };
}
