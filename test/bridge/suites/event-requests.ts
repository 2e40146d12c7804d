import { clientId } from '../client/client-id';
import { backlog, bodies } from '../client/backlog';
import { answerToEvents, openEvents } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';
import { MALFORMED_IDS } from './malformed';

const MALFORMED_CURSORS = ['abc', '-1', '1.5', '1e3', '0x10', ' 1', 'NaN'];

/** What `GET /events` refuses and accepts. */
export function eventRequests(bridge: () => Bridge): void {
  const expectRefused = async (
    query: Record<string, string>,
    text: string | RegExp,
    headers = {},
  ): Promise<void> => {
    const { status, json } = await answerToEvents(bridge(), query, { headers });
    expect({ query, status, json }).toMatchObject({
      query,
      status: 400,
      json: { statusCode: 400, message: expect.stringMatching(text) },
    });
  };

  test('client_id: missing', () => expectRefused({}, 'client_id'));

  test.each(MALFORMED_IDS)('client_id: %s', (_, id) => expectRefused({ client_id: id }, 'client_id'));

  test('client_id: one of several is malformed', async () => {
    for (const [, id] of MALFORMED_IDS)
      await expectRefused({ client_id: `${clientId()},${id},${clientId()}` }, 'client_id');
  });

  test('heartbeat: neither legacy nor message', async () => {
    for (const heartbeat of ['sometimes', 'MESSAGE', ''])
      await expectRefused({ client_id: clientId(), heartbeat }, 'heartbeat');
  });

  test.each(['legacy', 'message'])('heartbeat: %s is accepted', async heartbeat => {
    expect(await answerToEvents(bridge(), { client_id: clientId(), heartbeat })).toMatchObject({
      status: 200,
    });
  });

  test('last_event_id: malformed', async () => {
    for (const last_event_id of MALFORMED_CURSORS)
      await expectRefused({ client_id: clientId(), last_event_id }, /last.event.id/i);
  });

  test('Last-Event-ID: malformed', async () => {
    for (const cursor of ['abc', '-1', '1.5'])
      await expectRefused({ client_id: clientId() }, /last.event.id/i, { 'last-event-id': cursor });
  });

  test('last_event_id: greater than all ids that there will ever be is no fault of the server', async () => {
    const client_id = clientId();
    for (const last_event_id of [String(2 ** 53), '9'.repeat(40)])
      expect((await answerToEvents(bridge(), { client_id, last_event_id })).status).toBeLessThan(500);
  });

  test('the header of an EventSource that reconnects counts, not the query of its first request', async () => {
    const [from, to] = [clientId(), clientId()];
    for (const body of ['a', 'b', 'c']) await post(bridge(), { from, to, body });
    const [first, second] = await backlog(bridge(), to);
    const read = async (query: Record<string, string>, headers: Record<string, string>): Promise<string[]> =>
      bodies(await backlog(bridge(), to, { query, headers }));

    expect(await read({ last_event_id: String(first!.id) }, {})).toEqual(['b', 'c']);
    expect(await read({}, { 'last-event-id': String(second!.id) })).toEqual(['c']);
    const header = { 'last-event-id': String(second!.id) };
    expect(await read({ last_event_id: String(first!.id) }, header)).toEqual(['c']);
    expect(await read({ last_event_id: String(first!.id) }, { 'last-event-id': '0' })).toEqual(['b', 'c']);
    expect(await read({ last_event_id: '0' }, {})).toEqual(['a', 'b', 'c']);
  });

  test('a hundred ids share one connection', async () => {
    const [from, ids] = [clientId(), Array.from({ length: 100 }, clientId)];
    for (const to of [ids[0]!, ids[99]!]) await post(bridge(), { from, to, body: to });
    expect(bodies(await backlog(bridge(), ids))).toEqual([ids[0], ids[99]]);
  });

  test('an id that is given twice receives each message once', async () => {
    const [from, to] = [clientId(), clientId()];
    await post(bridge(), { from, to, body: 'a' });
    expect(bodies(await backlog(bridge(), [to, to, to.toUpperCase()]))).toEqual(['a']);
  });

  test('a request target that is too long: 414', async () => {
    expect((await answerToEvents(bridge(), { client_id: 'a'.repeat(204_800) })).status).toBe(414);
    const many = Array.from({ length: 8_000 }, clientId).join(',');
    expect((await answerToEvents(bridge(), { client_id: many })).status).toBe(414);
  });

  test('the answer is a stream that no proxy holds back', async () => {
    const reader = await openEvents(bridge(), clientId());
    expect(reader.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': expect.stringMatching(/no-cache|no-store/),
      'x-accel-buffering': 'no',
    });
    expect(reader.headers['cache-control']).toContain('no-transform');
    expect(reader.headers).not.toHaveProperty('content-encoding');
    reader.close();
  });
}
