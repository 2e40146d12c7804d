import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { NETWORKS_FOLDER } from '../../../infra/config/data-dir';
import { startTonDevnet, type TonDevnet } from '../../../infra/devnet/ton/devnet';
import { createLogger } from '../../../infra/config/logger';
import { openReplacedServer, type ReplacedServer } from '../../doubles/replaced-server';
import { compare, type Side } from '../against-express';
import { run, type Child } from '../child';
import { figure, once, quantile, type Figure } from '../figure';
import type { BenchRequest } from '../fill/requests';
import { withoutNetworks } from '../ports';
import type { Row, Setting } from '../row';

const ACCOUNT = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c';
/** An empty tuple. */
const ARGUMENTS = 'te6ccgEBAQEABQAABgAAAA';
const CACHED: readonly BenchRequest[] = [
  { name: 'a block', method: 'GET', path: '/rpc/mainnet/block/1' },
  { name: 'an account', method: 'GET', path: `/rpc/mainnet/block/1/${ACCOUNT}` },
  { name: 'a get method', method: 'GET', path: `/rpc/mainnet/block/1/${ACCOUNT}/run/seqno/${ARGUMENTS}` },
  { name: 'the newest block', method: 'GET', path: '/rpc/mainnet/block/latest' },
];
const CHANGES = '/rpc/mainnet/block/watch/changed';
const MIB = 2 ** 20;
/** 300 MB. */
const MAX_GROWTH_MIB = 286;
/** Between two blocks, so that each is sent alone. */
const PAUSE_MS = 500;

async function compareHits(setting: Setting, ours: Side): Promise<Figure[]> {
  const bareProcess = run('programs/bare-express', []);
  const bare = { process: bareProcess, url: await bareProcess.next<string>(), cpu: [] };
  const figures: Figure[] = [];
  for (const read of CACHED) {
    setting.say(read.name);
    figures.push(
      await compare(ours, bare, read, '', {
        setting,
        named: name => `RPC node, ${name}, cached`,
        goal: { of: 'ratio', atLeast: 0.8 },
      }),
    );
  }
  await bareProcess.stop();
  return figures;
}

/** Many callers ask for the same thing that is not cached, several times for something else. */
async function countCalls({ sized, say }: Setting, { url }: Side, node: ReplacedServer): Promise<Figure> {
  const callers = sized({ full: 1_000, quick: 1_000, smallest: 50 });
  say(`${callers} identical misses`);
  const times = sized({ full: 5, quick: 2, smallest: 1 });
  let most = 0;
  for (let n = 1; n <= times; n++) {
    const path = `/rpc/mainnet/block/1/0:${String(n).padStart(64, '0')}/lite`;
    node.requests.splice(0);
    const statuses = await Promise.all(
      Array.from({ length: callers }, async () => {
        const { statusCode, body } = await request(url + path);
        await body.dump();
        return statusCode;
      }),
    );
    if (statuses.some(status => status !== 200)) throw new Error('a miss was not answered');
    most = Math.max(most, node.requests.filter(each => each.endsWith('/lite')).length);
  }
  return figure(
    { what: `${callers} identical misses: calls of the node, to one`, unit: 'calls' },
    once(most, 1),
    { of: 'value', atMost: 1 },
  );
}

/** Runs while clients are connected. @returns what `run` does, and MiB by which they made the server grow */
async function growthOf<T>(
  server: Child,
  args: readonly string[],
  whileConnected: (clients: Child) => Promise<T>,
): Promise<readonly [growth: number, result: T]> {
  const memory = async (): Promise<number> => (await server.ask<number>('memory')) / MIB;
  const before = await memory();
  const clients = run('programs/stream-clients', args);
  try {
    await clients.next();
    const connected = await memory();
    const result = await whileConnected(clients);
    return [Math.max(connected, await memory()) - before, result];
  } finally {
    await clients.stop();
  }
}

async function compareWatchers(
  { sized, say }: Setting,
  { process: server, url }: Side,
  devnet: TonDevnet,
): Promise<Figure[]> {
  const count = sized({ full: 5_000, quick: 1_000, smallest: 20 });
  const watch = (clients: number) => [url + CHANGES, String(clients), '"lastUtime"', '"lastUtime"'];
  const produce =
    (blocks: number) =>
    async (clients: Child): Promise<number[]> => {
      const latencies: number[] = [];
      for (let n = 0; n < blocks; n++) {
        await sleep(PAUSE_MS);
        const all = clients.next<string[]>();
        const began = process.hrtime.bigint();
        await devnet.simulation.produceBlock();
        for (const at of await all) latencies.push(Number(BigInt(at) - began) / 1e6);
      }
      return latencies;
    };
  // Compiles the code, which is not part of the growth.
  await growthOf(server, watch(1), produce(2));
  say(`${count} watchers`);
  const [growth, latencies] = await growthOf(
    server,
    watch(count),
    produce(sized({ full: 20, quick: 5, smallest: 1 })),
  );
  const all = (await server.ask<number>('memory')) / MIB;
  const bare = run('programs/bare-websockets', []);
  const [floor] = await growthOf(bare, [await bare.next<string>(), String(count)], async () => undefined);
  await bare.stop();
  const what = `${count} watchers of all blocks`;
  return [
    figure(
      {
        what: `${what}: growth of memory, to bare ws`,
        unit: 'MiB',
        note: `${Math.round(all)} MiB in all`,
      },
      once(growth, floor),
      { of: 'value', atMost: MAX_GROWTH_MIB },
    ),
    figure(
      { what: `${what}: p99, to p50`, unit: 'ms', note: 'from the production of a block by the node' },
      once(quantile(latencies, 0.99), quantile(latencies, 0.5)),
    ),
  ];
}

/** The RPC node of the whole program, in front of a local network in this process. */
export const row: Row = async setting => {
  const { folder } = setting;
  const devnet = await startTonDevnet({
    network: 'mainnet',
    dataDir: join(folder, NETWORKS_FOLDER),
    host: '127.0.0.1',
    blockIntervalMs: 3_600_000,
    logger: createLogger('fatal'),
  });
  const node = await openReplacedServer(devnet.url);
  const networks = await withoutNetworks();
  /** A process of its own for each kind of figure, so that none finds the memory of another. */
  const open = async (name: string): Promise<Side> => {
    const server = run('programs/serve', [], {
      env: {
        ...process.env,
        ...networks,
        TON_RPC_URL_MAINNET: node.url,
        DATA_DIR: join(folder, name),
        PORT: '0',
        MAX_STREAMS: '0',
        MAX_STREAMS_PER_CALLER: '0',
        MAX_CONNECTIONS_PER_CALLER: '0',
      },
    });
    return { process: server, url: await server.next<string>(), cpu: [] };
  };
  try {
    const reading = await open('reading');
    const figures = [...(await compareHits(setting, reading)), await countCalls(setting, reading, node)];
    await reading.process.stop();
    const watching = await open('watching');
    figures.push(...(await compareWatchers(setting, watching, devnet)));
    await watching.process.stop();
    return figures;
  } finally {
    await node.close();
    await devnet.close();
  }
};
