import { EventEmitter } from 'node:events';
import { framesOf } from './frames';

/** A client that says whether it is paused. */
class Client extends EventEmitter {
  isPaused = false;
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  say(...texts: readonly string[]): void {
    for (const text of texts) this.emit('message', Buffer.from(text), false);
  }
}

const open = () => {
  const client = new Client();
  client.on('error', () => undefined);
  const frames = framesOf(client as never, 2)[Symbol.asyncIterator]();
  const read = async () => {
    const { done, value } = await frames.next();
    return done ? null : String(value[0]);
  };
  return { client, frames, read };
};

it('has each message in order, also those that came before it was read', async () => {
  const { client, read } = open();
  client.say('a', 'b');
  expect([await read(), await read()]).toEqual(['a', 'b']);
  const next = read();
  client.say('c');
  expect(await next).toBe('c');
});

it.each([['close'], ['error', new Error('broken')]])(
  'ends with a %s, after what had come',
  async (...event) => {
    const { client, read } = open();
    client.say('a');
    client.emit(...(event as [string]));
    expect([await read(), await read(), await read()]).toEqual(['a', null, null]);
    const { client: other, read: readOther } = open();
    const waiting = readOther();
    other.emit(...(event as [string]));
    expect(await waiting).toBeNull();
  },
);

it('pauses a client of which too many messages wait, until all of them are read', async () => {
  const { client, read } = open();
  client.say('a', 'b');
  expect(client.isPaused).toBe(false);
  client.say('c');
  expect(client.isPaused).toBe(true);
  await read();
  await read();
  expect(client.isPaused).toBe(true);
  await read();
  expect(client.isPaused).toBe(false);
});

it('that is left listens no more, and lets the client go on', async () => {
  const { client, frames, read } = open();
  client.say('a', 'b', 'c');
  await frames.return!();
  expect(client.isPaused).toBe(false);
  expect([client.listenerCount('message'), client.listenerCount('close')]).toEqual([0, 0]);
  expect(await read()).toBeNull();
});

it('takes little memory for each client', async () => {
  const before = process.memoryUsage().heapUsed;
  const all = Array.from({ length: 5_000 }, open);
  const each = (process.memoryUsage().heapUsed - before) / all.length;
  expect(all).toHaveLength(5_000);
  // Those of `node:events` take 32 KiB.
  expect(each).toBeLessThan(16_384);
});
