import { EventSource } from 'undici';
import { startFaultyProxy } from '../../servers/faulty-proxy';
import { until } from '../../until';
import { clientId } from '../client/client-id';
import { eventsUrl } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';

/** An `EventSource` by the HTML standard, which connects again by itself. */
export function eventSource(bridge: () => Bridge): void {
  test('one whose connection is cut continues after its last event', async () => {
    const [from, to] = [clientId(), clientId()];
    const { port } = new URL(bridge().url);
    const proxy = await startFaultyProxy({ port: Number(port) });
    const near = { url: bridge().url.replace(`:${port}`, `:${proxy.port}`) };
    await post(bridge(), { from, to, body: 'a' });

    const received: string[] = [];
    let opened = 0;
    // The query stays as it was: only the header of the reconnection says what was seen.
    const url = eventsUrl(near, to, { last_event_id: '1', heartbeat: 'message' });
    const source = new EventSource(url, { node: { reconnectionTime: 50 } });
    source.onopen = () => opened++;
    source.onmessage = ({ data }: { data: string }) => {
      if (data !== 'heartbeat') received.push((JSON.parse(data) as { message: string }).message);
    };
    try {
      await until(() => received.length === 1);
      for (const body of ['b', 'c', 'd']) {
        const before = opened;
        proxy.reset();
        await post(bridge(), { from, to, body });
        proxy.restore();
        await until(() => opened > before && received.at(-1) === body);
      }
      expect(received).toEqual(['a', 'b', 'c', 'd']);
    } finally {
      source.close();
      await proxy.close();
    }
  });
}
