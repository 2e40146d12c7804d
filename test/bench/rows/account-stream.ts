import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { tokenAccountsOf } from '../../../services/solana/account-stream-state';
import { until } from '../../until';
import { run, type Child } from '../child';
import { figure, once, quantile } from '../figure';
import { withoutNetworks } from '../ports';
import type { Row, Setting } from '../row';

const ACCOUNT = 'So11111111111111111111111111111111111111112';
/** After the history that the program publishes. */
const FIRST_SLOT = 300_000_000;
const MIB = 2 ** 20;
/** Between two changes, so that each is sent alone. */
const PAUSE_MS = 500;

interface Measured {
  /** MiB of the server with all clients connected. */
  readonly memory: number;
  /** Milliseconds from a change until a client has received it, of every client and change. */
  readonly latencies: number[];
}

async function measure(
  server: Child,
  path: string,
  { clients, changes, say }: { clients: number; changes: number } & Pick<Setting, 'say'>,
  isReady: (url: string) => Promise<void> = async () => undefined,
): Promise<Measured> {
  const url = await server.next<string>();
  await isReady(url);
  const watching = run('programs/stream-clients', [`${url}${path}`, String(clients)]);
  try {
    const began = performance.now();
    await watching.next();
    say(`connected in ${Math.round(performance.now() - began)} ms`);
    const memory = (await server.ask<number>('memory')) / MIB;
    const latencies: number[] = [];
    for (let n = 0; n <= changes; n++) {
      await sleep(PAUSE_MS);
      // Who connects is told the newest state, which is not counted.
      await watching.ask(`"slot":${FIRST_SLOT + n}`);
      const all = watching.next<string[]>();
      const began = BigInt(await server.ask<string>({ account: ACCOUNT, slot: FIRST_SLOT + n }));
      const received = await all;
      // The first one compiles the code.
      if (n > 0) for (const at of received) latencies.push(Number(BigInt(at) - began) / 1e6);
    }
    return { memory, latencies };
  } finally {
    await watching.stop();
    await server.stop();
  }
}

/**
 * Watchers of one account, in a process that does everything else too; a change is a record of the indexer on the log. The
 * floor is a server that only sends a message to all its clients.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const clients = sized({ full: 10_000, quick: 1_000, smallest: 20 });
  const changes = sized({ full: 20, quick: 5, smallest: 1 });
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    DATA_DIR: folder,
    PORT: '0',
    MAX_STREAMS: '0',
    MAX_STREAMS_PER_CALLER: '0',
    MAX_CONNECTIONS_PER_CALLER: '0',
  };
  say(`${clients} watchers`);
  const path = `/solana/mainnet/account/${ACCOUNT}/ws`;
  const isHistoryRead = async (url: string): Promise<void> => {
    const body = JSON.stringify({ address: ACCOUNT });
    const headers = { 'content-type': 'application/json' };
    await until(async () => {
      const answer = await request(`${url}/solana/transactions/mainnet`, { method: 'POST', headers, body });
      await answer.body.dump();
      return answer.statusCode === 200;
    });
  };
  const address = { network: 'mainnet', address: ACCOUNT } as const;
  const server = run('programs/account-stream', [ACCOUNT, ...tokenAccountsOf(address)], { env });
  const ours = await measure(server, path, { clients, changes, say }, isHistoryRead);
  say('the floor');
  const floor = await measure(run('programs/bare-websockets', []), '/', { clients, changes, say });

  const what = `${clients} watchers of an account`;
  const latency = (q: number) => once(quantile(ours.latencies, q), quantile(floor.latencies, q));
  return [
    figure({ what: `${what}: memory, to bare ws`, unit: 'MiB' }, once(ours.memory, floor.memory), {
      of: 'value',
      atMost: 400,
    }),
    figure({ what: `${what}: change to p50, to bare ws`, unit: 'ms' }, latency(0.5)),
    figure({ what: `${what}: change to p99, to bare ws`, unit: 'ms' }, latency(0.99), {
      of: 'value',
      atMost: 250,
    }),
  ];
};
