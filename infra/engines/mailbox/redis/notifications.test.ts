import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import type { Signal } from '../signal';
import { createKeys } from './keys';
import { createNotifications } from './notifications';

/** A connection whose replies the test sends. */
const createConnection = () => {
  const commands: { readonly name: string; resolve(): void; reject(error: Error): void }[] = [];
  const command = (name: string) => (): Promise<void> =>
    new Promise((resolve, reject) => void commands.push({ name, resolve, reject }));
  const client = Object.assign(new EventEmitter(), {
    subscribe: command('subscribe'),
    unsubscribe: command('unsubscribe'),
    ping: command('ping'),
  });
  const notifications = createNotifications(client as unknown as Redis, createKeys('p'));
  return { client, commands, notifications };
};

/** Counts the notifications of a signal. */
const count = (signal: Signal): (() => Promise<number>) => {
  let notifications = 0;
  const listen = async (): Promise<void> => {
    while (await signal.wait()) notifications += 1;
  };
  void listen();
  return async () => {
    await new Promise(resolve => setImmediate(resolve));
    return notifications;
  };
};

test('a subscriber is notified only once the subscription is acknowledged', async () => {
  const { notifications, commands } = createConnection();
  const notified = count(notifications.subscribe(['bob']));
  expect(await notified()).toBe(0);
  commands[0]!.resolve();
  expect(await notified()).toBe(1);
});

test('all subscribers are notified after a reconnect, once the subscriptions are back', async () => {
  const { client, notifications, commands } = createConnection();
  const [bob, rob] = [count(notifications.subscribe(['bob'])), count(notifications.subscribe(['rob']))];
  for (const { resolve } of commands) resolve();
  expect([await bob(), await rob()]).toEqual([1, 1]);
  client.emit('ready');
  expect([await bob(), await rob()]).toEqual([1, 1]);
  expect(commands.at(-1)!.name).toBe('ping');
  commands.at(-1)!.resolve();
  expect([await bob(), await rob()]).toEqual([2, 2]);
});

test('a message notifies the subscribers of its recipient', async () => {
  const { client, notifications, commands } = createConnection();
  const both = count(notifications.subscribe(['bob', 'rob']));
  const eve = count(notifications.subscribe(['eve']));
  for (const { resolve } of commands) resolve();
  expect([await both(), await eve()]).toEqual([1, 1]);
  client.emit('message', 'p:mailbox:posted:rob', '');
  expect([await both(), await eve()]).toEqual([2, 1]);
});

test('a failed subscription is an error of the subscriber', async () => {
  const { notifications, commands } = createConnection();
  const signal = notifications.subscribe(['bob']);
  commands[0]!.reject(new Error('NOPERM no such right'));
  await expect(signal.wait()).rejects.toThrow(EngineUnavailable);
});
