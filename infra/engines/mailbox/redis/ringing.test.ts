import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import type { Ear } from '../ear';
import { createKeys } from './keys';
import { createRinging } from './ringing';

/** A connection whose answers come when the test gives them. */
const connection = () => {
  const asked: { readonly what: string; resolve(): void; reject(error: Error): void }[] = [];
  const ask = (what: string) => (): Promise<void> =>
    new Promise((resolve, reject) => void asked.push({ what, resolve, reject }));
  const client = Object.assign(new EventEmitter(), {
    subscribe: ask('subscribe'),
    unsubscribe: ask('unsubscribe'),
    ping: ask('ping'),
  });
  return { client, asked, ringing: createRinging(client as unknown as Redis, createKeys('p')) };
};

/** Counts how often an ear has rung so far. */
const count = (ear: Ear): (() => Promise<number>) => {
  let rings = 0;
  const listen = async (): Promise<void> => {
    while (await ear.rung()) rings += 1;
  };
  void listen();
  return async () => {
    await new Promise(resolve => setImmediate(resolve));
    return rings;
  };
};

test('nobody reads before word of what is posted from then on would reach him', async () => {
  const { ringing, asked } = connection();
  const rings = count(ringing.listen(['bob']));
  expect(await rings()).toBe(0);
  asked[0]!.resolve();
  expect(await rings()).toBe(1);
});

test('all look again when the connection is back, but not before it listens', async () => {
  const { client, ringing, asked } = connection();
  const [bob, rob] = [count(ringing.listen(['bob'])), count(ringing.listen(['rob']))];
  for (const { resolve } of asked) resolve();
  expect([await bob(), await rob()]).toEqual([1, 1]);
  client.emit('ready');
  expect([await bob(), await rob()]).toEqual([1, 1]);
  expect(asked.at(-1)!.what).toBe('ping');
  asked.at(-1)!.resolve();
  expect([await bob(), await rob()]).toEqual([2, 2]);
});

test('word rings for those whom it concerns', async () => {
  const { client, ringing, asked } = connection();
  const [both, eve] = [count(ringing.listen(['bob', 'rob'])), count(ringing.listen(['eve']))];
  for (const { resolve } of asked) resolve();
  expect([await both(), await eve()]).toEqual([1, 1]);
  client.emit('message', 'p:mailbox:posted:rob', '');
  expect([await both(), await eve()]).toEqual([2, 1]);
});

test('who cannot listen is told', async () => {
  const { ringing, asked } = connection();
  const ear = ringing.listen(['bob']);
  asked[0]!.reject(new Error('NOPERM no such right'));
  await expect(ear.rung()).rejects.toThrow(EngineUnavailable);
});
