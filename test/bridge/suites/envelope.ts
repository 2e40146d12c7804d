import { backlog } from '../client/backlog';
import { clientId } from '../client/client-id';
import type { Delivered } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What a recipient sees of a message. */
export function envelope(bridge: () => Bridge): void {
  const deliveredWith = async (query: Record<string, string>): Promise<Delivered> => {
    const [from, to] = [clientId(), clientId()];
    await post(bridge(), { from, to, query });
    const [message] = await backlog(bridge(), to);
    return message!;
  };

  test('an id is an integer that JavaScript can compute with', async () => {
    const { id } = await deliveredWith({});
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(id).toBeGreaterThan(0);
  });

  test('trace_id: as it was sent', async () => {
    const trace_id = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(await deliveredWith({ trace_id })).toMatchObject({ trace_id });
  });

  test.each([
    ['absent', {}],
    ['malformed', { trace_id: 'not a UUID' }],
  ])('trace_id: %s, the bridge gives one', async (_, query: Record<string, string>) => {
    const [first, second] = [await deliveredWith(query), await deliveredWith(query)];
    expect(first.trace_id).toMatch(UUID);
    expect(second.trace_id).toMatch(UUID);
    expect(first.trace_id).not.toBe(second.trace_id);
  });

  test('topic: any text, which recipients do not see', async () => {
    for (const topic of ['sendTransaction', 'disconnect', 'a topic nobody knows', '<script>', '']) {
      const message = await deliveredWith({ topic });
      expect(Object.keys(message).sort()).not.toContain('topic');
    }
  });

  test('of the sender no more than the id is in clear', async () => {
    const sent = { from: clientId(), to: clientId(), address: '198.18.77.77' };
    await post(bridge(), {
      ...sent,
      headers: { 'user-agent': 'secret-agent/7', origin: 'https://secret.example' },
    });
    const text = JSON.stringify(await backlog(bridge(), sent.to));
    for (const secret of ['198.18.77.77', 'secret-agent', 'secret.example'])
      expect(text).not.toContain(secret);
  });
}
