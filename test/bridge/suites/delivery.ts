import { backlog, bodies, isAscending } from '../client/backlog';
import { clientId } from '../client/client-id';
import { openEvents } from '../client/events';
import { post, tryPost } from '../client/post';
import type { Bridge } from '../client/request';
import { scaled } from '../../random';
import { until } from '../../until';

const TRIALS = Math.min(scaled(100), 10_000);
const AT_ONCE = 20;

/** Delivery to connections that are open or being opened: exactly once each, in order. */
export function delivery(bridge: () => Bridge): void {
  test('all connections of a client receive a message, and other clients do not', async () => {
    const [from, to] = [clientId(), clientId()];
    const readers = await Promise.all([to, to, [clientId(), to]].map(ids => openEvents(bridge(), ids)));
    const stranger = await openEvents(bridge(), clientId());
    await post(bridge(), { from, to, body: 'a' });
    await until(() => readers.every(({ messages }) => messages.length === 1));
    const [first, ...others] = readers.map(({ messages }) => messages[0]!);
    for (const each of others) expect(each).toEqual(first);
    expect(stranger.messages).toEqual([]);
    for (const reader of [...readers, stranger]) reader.close();
  });

  test('closing one of two connections of a client leaves the other', async () => {
    const [from, to] = [clientId(), clientId()];
    const [closed, open] = [await openEvents(bridge(), to), await openEvents(bridge(), to)];
    await post(bridge(), { from, to, body: 'a' });
    await until(() => closed.messages.length === 1 && open.messages.length === 1);
    closed.close();
    for (const body of ['b', 'c', 'd']) await post(bridge(), { from, to, body });
    await until(() => open.messages.length === 4);
    expect(bodies(open.messages)).toEqual(['a', 'b', 'c', 'd']);
    expect(open.isOver).toBe(false);
    open.close();
  });

  test('a message that is posted five times is delivered once', async () => {
    const [from, to] = [clientId(), clientId()];
    const message = { from, to, body: 'the same ciphertext' };
    const reader = await openEvents(bridge(), to);
    await post(bridge(), message);
    const answers = await Promise.all(Array.from({ length: 4 }, () => tryPost(bridge(), message)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await post(bridge(), { from, to, body: 'another' });
    await until(() => reader.messages.at(-1)?.message === 'another');
    expect(bodies(reader.messages)).toEqual(['the same ciphertext', 'another']);
    expect(await backlog(bridge(), to)).toEqual(reader.messages);
    reader.close();
  });

  test('the same message posted five times at once is delivered once', async () => {
    const [from, to] = [clientId(), clientId()];
    const reader = await openEvents(bridge(), to);
    await Promise.all(Array.from({ length: 5 }, () => post(bridge(), { from, to, body: 'a' })));
    await post(bridge(), { from, to, body: 'end' });
    await until(() => reader.messages.at(-1)?.message === 'end');
    expect(bodies(reader.messages)).toEqual(['a', 'end']);
    reader.close();
  });

  test('equal bodies of other senders or to other recipients are messages of their own', async () => {
    const [from, to, other] = [clientId(), clientId(), clientId()];
    await post(bridge(), { from, to, body: 'a' });
    await post(bridge(), { from: other, to, body: 'a' });
    await post(bridge(), { from, to: other, body: 'a' });
    expect(await backlog(bridge(), to)).toMatchObject([{ from }, { from: other }]);
    expect(await backlog(bridge(), other)).toMatchObject([{ from }]);
  });

  test('a message is no longer delivered when its ttl has passed', async () => {
    const [from, to] = [clientId(), clientId()];
    await post(bridge(), { from, to, body: 'short', ttl: 1 });
    await post(bridge(), { from, to, body: 'long', ttl: 300 });
    const left = await until(
      () => backlog(bridge(), to),
      messages => messages.length < 2,
    );
    expect(bodies(left)).toEqual(['long']);
    const reader = await openEvents(bridge(), [to, clientId()]);
    // What has expired is no longer there to be the same message.
    await post(bridge(), { from, to, body: 'short' });
    await until(() => reader.messages.length >= 2);
    expect(bodies(reader.messages)).toEqual(['long', 'short']);
    reader.close();
  });

  test(`clients that connect while they are written to miss nothing, in ${TRIALS} trials`, async () => {
    const trial = async (): Promise<void> => {
      const [from, to] = [clientId(), clientId()];
      const sent = ['before', 'meanwhile', 'after'];
      const posting = (async () => {
        for (const body of sent) await post(bridge(), { from, to, body });
      })();
      const reader = await openEvents(bridge(), [to, from]);
      await posting;
      await post(bridge(), { from, to, body: 'end' });
      await until(() => reader.messages.some(({ message }) => message === 'end'));
      expect(bodies(reader.messages)).toEqual([...sent, 'end']);
      expect(isAscending(reader.messages)).toBe(true);
      reader.close();
    };
    for (let left = TRIALS; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, trial));
  });

  test('a client that subscribes twice at once receives each message once on each connection', async () => {
    const [from, to] = [clientId(), clientId()];
    const posting = (async () => {
      for (let n = 0; n < 30; n++) await post(bridge(), { from, to, body: `message ${n}` });
    })();
    const readers = await Promise.all(Array.from({ length: 4 }, () => openEvents(bridge(), to)));
    await posting;
    await until(() => readers.every(({ messages }) => messages.length >= 30));
    for (const { messages } of readers)
      expect(bodies(messages)).toEqual(Array.from({ length: 30 }, (_, n) => `message ${n}`));
    for (const reader of readers) reader.close();
  });
}
