import { clientId } from '../client/client-id';
import { openEvents, type Reader } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';
import { until } from '../../until';

/** Heartbeats of both kinds, on a bridge that sends them often. */
export function heartbeats(bridge: () => Bridge): void {
  const reading = async (query: Record<string, string>): Promise<Reader> => {
    const [from, to] = [clientId(), clientId()];
    const reader = await openEvents(bridge(), to, { query });
    await until(() => reader.frames.length >= 2);
    await post(bridge(), { from, to });
    await until(() => reader.messages.length === 1 && !reader.frames.at(-1)!.id);
    reader.close();
    return reader;
  };

  test.each([
    ['by default', {}],
    ['of kind legacy', { heartbeat: 'legacy' }],
  ])('%s: an event of its own without data, which an EventSource hides', async (_, query) => {
    const { frames } = await reading(query);
    expect(frames.filter(({ id }) => id === undefined)).not.toEqual([]);
    for (const frame of frames.filter(({ id }) => id === undefined))
      expect(frame).toEqual({ event: 'heartbeat' });
  });

  test('of kind message: a message without an id, so that a reader keeps its last one', async () => {
    const { frames } = await reading({ heartbeat: 'message' });
    expect(frames.filter(({ id }) => id === undefined)).not.toEqual([]);
    for (const frame of frames.filter(({ id }) => id === undefined))
      expect(frame).toEqual({ event: 'message', data: 'heartbeat' });
  });
}
