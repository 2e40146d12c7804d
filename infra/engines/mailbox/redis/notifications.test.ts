import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { Message } from '../../../../contracts/ports/mailbox';
import { createKeys } from './keys';
import { createNotifications } from './notifications';

/** A connection whose replies the test sends, and what subscriptions get of it. */
const createConnection = () => {
  const commands: { readonly name: string; resolve(): void; reject(error: Error): void }[] = [];
  const command = (name: string) => (): Promise<void> =>
    new Promise((resolve, reject) => void commands.push({ name, resolve, reject }));
  const client = Object.assign(new EventEmitter(), {
    subscribe: command('subscribe'),
    unsubscribe: command('unsubscribe'),
    ping: command('ping'),
  });
  const calls: (Message | 'read again')[] = [];
  const notifications = createNotifications(client as unknown as Redis, createKeys('p'), {
    has: () => false,
    offer: message => calls.push(message),
    readAgain: () => calls.push('read again'),
  });
  const publish = (id: number): void =>
    void client.emit('message', 'p:mailbox:posted:rob', `${id}[9000,"ann","[body]",{"trace":"t"}]`);
  const turn = () => new Promise(resolve => setImmediate(resolve));
  return { client, commands, notifications, calls, publish, turn };
};

test('a published message is offered', () => {
  const { calls, publish } = createConnection();
  publish(7);
  const message = {
    id: 7,
    from: 'ann',
    to: 'rob',
    body: '[body]',
    headers: { trace: 't' },
    expiresAt: 9_000,
  };
  expect(calls).toEqual([message]);
});

test('after a reconnect everything is read again before a message is offered', async () => {
  const { client, commands, calls, publish, turn } = createConnection();
  client.emit('close');
  client.emit('ready');
  // The subscription is back; the message before this one may have been lost.
  publish(7);
  await turn();
  expect(calls).toEqual([]);
  expect(commands.at(-1)!.name).toBe('ping');
  commands.at(-1)!.resolve();
  await turn();
  publish(8);
  expect(calls).toEqual(['read again', expect.objectContaining({ id: 8 })]);
});

test('a subscription is complete only once it is acknowledged, and its failure is an error', async () => {
  const { notifications, commands, turn } = createConnection();
  let done = false;
  const subscribing = notifications.subscribe(['bob']).then(() => (done = true));
  await turn();
  expect(done).toBe(false);
  commands[0]!.resolve();
  await subscribing;
  const refused = notifications.subscribe(['bob']);
  commands[1]!.reject(new Error('NOPERM no such right'));
  await expect(refused).rejects.toThrow(EngineUnavailable);
});
