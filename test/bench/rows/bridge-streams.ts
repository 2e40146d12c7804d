import { bridgeAndRelay, type BridgeSide } from '../bridge';
import { figure, once, quantile } from '../figure';
import type { Row } from '../row';

const HEARTBEATS = 2;
/** To the streams that stay open. */
const PER_SECOND = 200;
const TTL = 300;

/** Bytes of the server for each further stream, after some heartbeats; of few streams they may be less than the noise. */
async function memoryOfStream(side: BridgeSide, warmUp: number, streams: number): Promise<number> {
  await side.ask('open', { streams: warmUp, idsEach: 1 });
  const before = await side.memory();
  await side.ask('open', { streams, idsEach: 1 });
  await side.ask('heartbeats', HEARTBEATS);
  const growth = (await side.memory()) - before;
  await side.ask('close');
  return Math.max(1, growth / streams);
}

/** Clients that have missed a message each connect at once. */
async function storm(side: BridgeSide, others: number, clients: number) {
  await side.ask('open', { streams: others, idsEach: 1 });
  await side.ask('leave', { ids: clients, ttl: TTL, reconnect: true });
  const { seconds, unserved, others: sent } = await side.ask('storm', { perSecond: PER_SECOND });
  if (unserved + sent.lost > 0) throw new Error(`${unserved} clients not served, ${sent.lost} messages lost`);
  await side.ask('close');
  return { seconds, others: quantile(sent.latencies, 0.99) };
}

/** Streams on which nothing happens, and clients that all come back at the same time. */
export const row: Row = async ({ sized, folder, say }) => {
  const [streams, clients] = sized({ full: [15_000, 10_000], quick: [2_000, 2_000], smallest: [100, 100] });
  const [warmUp, others] = sized({ full: [500, 100], quick: [500, 100], smallest: [10, 10] });
  const { ours, relay } = await bridgeAndRelay(folder, sized({ full: 10, quick: 10, smallest: 1 }));
  say(`${streams} streams`);
  const idle = [
    await memoryOfStream(ours, warmUp, streams),
    await memoryOfStream(relay, warmUp, streams),
  ] as const;
  say(`${clients} clients come back`);
  const [back, backFloor] = [await storm(ours, others, clients), await storm(relay, others, clients)];
  await Promise.all([ours.stop(), relay.stop()]);

  const perGigabyte = (bytes: number): number => 1e9 / bytes;
  const note = idle.map(bytes => `${(bytes / 1_000).toFixed(1)} kB`).join(' to ');
  const all = `${clients.toLocaleString('en')} clients at once`;
  return [
    figure(
      { what: 'bridge, idle streams in 1 GB: to a bare relay', unit: 'streams', note },
      once(perGigabyte(idle[0]), perGigabyte(idle[1])),
      { of: 'value', atLeast: 60_000 },
    ),
    figure(
      { what: `bridge, ${all}: all have their message`, unit: 's' },
      once(back.seconds, backFloor.seconds),
      { of: 'value', atMost: 5 },
    ),
    figure({ what: `bridge, ${all}: p99 of others`, unit: 'ms' }, once(back.others, backFloor.others)),
  ];
};
