import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTonDevnet, type TonDevnet } from '../../../infra/devnet/ton/devnet';
import { createLogger } from '../../../infra/program/logger';
import { compare, type Side } from '../against-express';
import { run, type Child } from '../child';
import { figure, once, quantile, type Figure } from '../figure';
import type { BenchRequest } from '../fill/requests';
import { withoutNetworks } from '../ports';
import type { Row, Setting } from '../row';

const ACCOUNT = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c';
const CACHED: readonly BenchRequest[] = [
  { name: 'a block', method: 'GET', path: '/rpc/mainnet/block/1' },
  { name: 'an account', method: 'GET', path: `/rpc/mainnet/block/1/${ACCOUNT}` },
  { name: 'the newest block', method: 'GET', path: '/rpc/mainnet/block/latest' },
];
const MIB = 2 ** 20;
/** Between two blocks, so that each is sent alone. */
const PAUSE_MS = 500;

async function compareHits(setting: Setting, ours: Side): Promise<Figure[]> {
  const bareProcess = run('programs/bare-express', []);
  const bare = { process: bareProcess, url: await bareProcess.next<string>(), cpu: [] };
  const figures: Figure[] = [];
  for (const request of CACHED) {
    setting.say(request.name);
    figures.push(
      await compare(ours, bare, request, '', {
        setting,
        named: read => `RPC node, ${read}, cached`,
        goal: { of: 'ratio', atLeast: 0.8 },
      }),
    );
  }
  await bareProcess.stop();
  return figures;
}

/** @returns MiB of the server with all clients connected */
async function memoryOf(
  server: Child,
  args: readonly string[],
  whileConnected: (clients: Child) => Promise<void>,
): Promise<number> {
  const clients = run('programs/stream-clients', args);
  try {
    await clients.next();
    const memory = (await server.ask<number>('memory')) / MIB;
    await whileConnected(clients);
    return memory;
  } finally {
    await clients.stop();
  }
}

async function compareWatchers({ quick, say }: Setting, ours: Side, devnet: TonDevnet): Promise<Figure[]> {
  const count = quick ? 1_000 : 5_000;
  say(`${count} watchers`);
  const latencies: number[] = [];
  const url = `${ours.url}/rpc/mainnet/block/watch/changed`;
  const memory = await memoryOf(
    ours.process,
    [url, String(count), '"lastUtime"', '"lastUtime"'],
    async clients => {
      for (let n = 0; n <= (quick ? 5 : 20); n++) {
        await sleep(PAUSE_MS);
        const all = clients.next<string[]>();
        const began = process.hrtime.bigint();
        await devnet.simulation.produceBlock();
        const received = await all;
        // The first one compiles the code.
        if (n > 0) for (const at of received) latencies.push(Number(BigInt(at) - began) / 1e6);
      }
    },
  );
  const bare = run('programs/bare-websockets', []);
  const floor = await memoryOf(bare, [await bare.next<string>(), String(count)], async () => undefined);
  await bare.stop();
  const what = `${count} watchers of all blocks`;
  return [
    figure({ what: `${what}: memory, to bare ws`, unit: 'MiB' }, once(memory, floor), {
      of: 'value',
      atMost: 300,
    }),
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
    dataDir: join(folder, 'networks'),
    host: '127.0.0.1',
    blockIntervalMs: 3_600_000,
    logger: createLogger('fatal'),
  });
  const server = run('programs/serve', [], {
    env: {
      ...process.env,
      ...(await withoutNetworks()),
      TON_RPC_URL_MAINNET: devnet.url,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      STREAM_LIMIT: '0',
      STREAM_LIMIT_CALLER: '0',
    },
  });
  try {
    const ours: Side = { process: server, url: await server.next<string>(), cpu: [] };
    return [...(await compareHits(setting, ours)), ...(await compareWatchers(setting, ours, devnet))];
  } finally {
    await server.stop();
    await devnet.close();
  }
};
