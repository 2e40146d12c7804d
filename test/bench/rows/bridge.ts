import { bridgeAndRelay, type BridgeSide, type Sending } from '../bridge';
import { figure, median, paired, quantile } from '../figure';
import { interleave } from '../interleave';
import type { Row } from '../row';

const IDS_EACH = 2;
const PER_SECOND = 900;

interface Measured {
  readonly perSecond: number;
  readonly latencies: readonly number[];
  /** Microseconds a message. */
  readonly cpu: { readonly server: number; readonly clients: number };
}

/** Fails when a message is lost or received twice. */
async function send(side: BridgeSide, sending: Sending): Promise<Measured> {
  const before = await side.cpu();
  const { seconds, latencies, lost, duplicates } = await side.ask('send', sending);
  if (lost + duplicates > 0) throw new Error(`${lost} messages lost, ${duplicates} received twice`);
  const after = await side.cpu();
  const { messages } = sending;
  return {
    perSecond: messages / seconds,
    latencies,
    cpu: {
      server: (after.server - before.server) / messages,
      clients: (after.clients - before.clients) / messages,
    },
  };
}

/**
 * Messages from dApps to wallets that are connected: as many as two cores carry, clients included, and how long one takes
 * at a rate that is the highest of which the official bridge has published figures.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const [rounds, messages, seconds] = sized({
    full: [3, 30_000, 6],
    quick: [1, 5_000, 2],
    smallest: [1, 300, 0.3],
  });
  const streams = sized({ full: 500, quick: 500, smallest: 20 });
  const { ours, relay } = await bridgeAndRelay(folder);
  const sides = [ours, relay];
  for (const side of sides) await side.ask('open', { streams, idsEach: IDS_EACH });

  const compare = async (sending: Sending) => {
    const measured = { ours: [] as Measured[], relay: [] as Measured[] };
    const measure = (name: 'ours' | 'relay', side: BridgeSide) => async (): Promise<number> =>
      measured[name].push(await send(side, sending));
    await interleave(rounds, { ours: measure('ours', ours), relay: measure('relay', relay) });
    const each = <Name extends 'ours' | 'relay'>(name: Name, of: (round: Measured) => number) =>
      measured[name].map(of);
    const cpu = (of: 'server' | 'clients') =>
      `${Math.round(median(each('ours', round => round.cpu[of])))} to ${Math.round(median(each('relay', round => round.cpu[of])))} us`;
    return {
      figures: (of: (round: Measured) => number) => paired(each('ours', of), each('relay', of)),
      note: `CPU ${cpu('server')}, of the clients ${cpu('clients')}`,
    };
  };

  say('warm-up');
  for (const side of sides) await send(side, { messages });
  say('as many as they carry');
  const most = await compare({ messages });
  say(`${PER_SECOND} a second`);
  const steady = await compare({ messages: seconds * PER_SECOND, perSecond: PER_SECOND });
  for (const side of sides) await side.stop();

  const latency = (q: number) => steady.figures(({ latencies }) => quantile(latencies, q));
  const what = `bridge, ${PER_SECOND} messages/s`;
  return [
    figure(
      { what: 'bridge, messages: to a bare relay', unit: 'messages/s', note: most.note },
      most.figures(({ perSecond }) => perSecond),
      { of: 'value', atLeast: 6_000 },
    ),
    figure({ what: `${what}: p50, to a bare relay`, unit: 'ms', note: steady.note }, latency(0.5), {
      of: 'value',
      atMost: 0.5,
    }),
    figure({ what: `${what}: p99, to a bare relay`, unit: 'ms' }, latency(0.99), { of: 'value', atMost: 5 }),
  ];
};
