import { backlog, bodies, isAscending } from '../client/backlog';
import { clientId } from '../client/client-id';
import { openEvents } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';
import { randomFrom, scaled, SEED } from '../../random';
import { until } from '../../until';

const BACKLOG = Math.min(scaled(1_000), 10_000);
const AT_ONCE = 50;

/** Backlogs: whole, in order, and continued where a connection was cut. */
export function order(bridge: () => Bridge): void {
  test(`a backlog of ${BACKLOG} messages is delivered whole and in order`, async () => {
    const to = clientId();
    const from = Array.from({ length: AT_ONCE }, clientId);
    const sent = Array.from({ length: BACKLOG }, (_, index) => `message ${index}`);
    for (let first = 0; first < BACKLOG; first += AT_ONCE)
      await Promise.all(
        sent.slice(first, first + AT_ONCE).map((body, at) => post(bridge(), { from: from[at]!, to, body })),
      );
    const received = await backlog(bridge(), to);
    expect(bodies(received).sort()).toEqual([...sent].sort());
    expect(isAscending(received)).toBe(true);
  });

  test('messages to several ids, of mixed ttl, keep the order in which they were posted', async () => {
    const ids = Array.from({ length: 5 }, clientId);
    const random = randomFrom(SEED);
    const any = (below: number): number => Math.floor(random() * below);
    const sent = Array.from({ length: 60 }, (_, index) => `message ${index}`);
    for (const body of sent)
      await post(bridge(), { from: ids[any(5)]!, to: ids[any(5)]!, body, ttl: 240 + any(60) });

    const whole = await backlog(bridge(), ids);
    expect(bodies(whole)).toEqual(sent);
    expect(isAscending(whole)).toBe(true);
    expect(bodies(await backlog(bridge(), [...ids].reverse()))).toEqual(sent);

    // One cursor serves all ids, wherever the connection was cut.
    for (const cut of [1, 7, 30, 59]) {
      const query = { last_event_id: String(whole[cut - 1]!.id) };
      expect(bodies(await backlog(bridge(), ids, { query }))).toEqual(sent.slice(cut));
    }
  });

  test('a connection that is cut again and again loses nothing and repeats nothing', async () => {
    const ids = [clientId(), clientId()];
    const from = clientId();
    const sent = Array.from({ length: 80 }, (_, index) => `message ${index}`);
    const posting = (async () => {
      for (const [index, body] of sent.entries()) await post(bridge(), { from, to: ids[index % 2]!, body });
    })();
    const received: string[] = [];
    let last = 0;
    while (received.length < sent.length) {
      const reader = await openEvents(bridge(), ids, { query: { last_event_id: String(last) } });
      await until(() => reader.messages.length >= Math.min(3, sent.length - received.length));
      reader.close();
      received.push(...bodies(reader.messages));
      last = reader.messages.at(-1)!.id;
    }
    await posting;
    expect(received).toEqual(sent);
  });

  test('a message is delivered again to a reader that asks for it', async () => {
    const [from, to] = [clientId(), clientId()];
    await post(bridge(), { from, to, body: 'a' });
    const [first] = await backlog(bridge(), to);
    const again = (last: number): Promise<string[]> =>
      backlog(bridge(), to, { query: { last_event_id: String(last) } }).then(bodies);
    expect(await again(first!.id - 1)).toEqual(['a']);
    expect(await again(first!.id)).toEqual([]);
    expect(await again(first!.id + 1_000_000_000)).toEqual([]);
    expect(bodies(await backlog(bridge(), to))).toEqual(['a']);
  });

  test('queue_done comes after the backlog, once, without an id, and only when it is asked for', async () => {
    const [from, to] = [clientId(), clientId()];
    for (const body of ['a', 'b']) await post(bridge(), { from, to, body });
    const asking = await openEvents(bridge(), to, { query: { enable_queue_done_event: 'true' } });
    const other = await openEvents(bridge(), to);
    await until(() => asking.frames.some(({ data }) => data === 'queue_done'));
    await post(bridge(), { from, to, body: 'c' });
    await until(() => asking.messages.length === 3 && other.messages.length === 3);
    const shown = asking.frames.filter(({ event }) => event === 'message');
    expect(shown.map(({ data }) => (data === 'queue_done' ? data : 'message'))).toEqual([
      'message',
      'message',
      'queue_done',
      'message',
    ]);
    expect(shown[2]).toEqual({ event: 'message', data: 'queue_done' });
    expect(other.frames.filter(({ data }) => data === 'queue_done')).toEqual([]);
    for (const reader of [asking, other]) reader.close();
  });
}
