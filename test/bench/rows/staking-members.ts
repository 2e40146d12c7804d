import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serializeTuple } from '@ton/core';
import { Agent, request } from 'undici';
import { formatTonAddress } from '../../../contracts/account/address';
import { createLogger } from '../../../infra/config/logger';
import { NETWORKS_FOLDER } from '../../../infra/config/data-dir';
import { startTonDevnet } from '../../../infra/devnet/ton/devnet';
import { until } from '../../until';
import { openReplacedServer } from '../../doubles/replaced-server';
import { run } from '../child';
import { figure, once, quantile } from '../figure';
import { STAKING_MEMBER, STAKING_POOLS } from '../fill/ton-stakes';
import { withoutNetworks } from '../ports';
import type { Row } from '../row';

/** Between two requests of the client, which does not wait for answers. */
const EVERY_MS = 10;
const POLL_MS = 100;
/** Members that are refreshed in a second at least: slower than any pace. */
const MIN_PER_SECOND = 5;

const friendly = (raw: string): string => formatTonAddress(raw, 'mainnet');
const BODY = JSON.stringify({
  address: friendly(STAKING_MEMBER.toRawString()),
  pools: STAKING_POOLS.map(friendly),
});

/** Asks for the stakes of the other account. @returns the status of the answer */
async function statusOfStakes(url: string, dispatcher: Agent): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const { statusCode, body } = await request(`${url}/staking/member/info`, {
    method: 'POST',
    headers,
    body: BODY,
    dispatcher,
  });
  await body.dump();
  return statusCode;
}

/** Asks at a fixed rate until the signal. @returns how many milliseconds each answer has taken */
async function askUntil(url: string, signal: AbortSignal): Promise<number[]> {
  const dispatcher = new Agent({ pipelining: 1 });
  const took: number[] = [];
  const asked: Promise<void>[] = [];
  const ask = async (): Promise<void> => {
    const began = performance.now();
    const status = await statusOfStakes(url, dispatcher);
    if (status !== 200) throw new Error(`the stakes were answered with ${status}`);
    took.push(performance.now() - began);
  };
  for (; !signal.aborted; await sleep(EVERY_MS)) asked.push(ask());
  await Promise.all(asked);
  await dispatcher.close();
  return took;
}

/** Milliseconds of each answer while something goes on. */
async function whileAsking(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const stop = new AbortController();
  const asking = askUntil(url, stop.signal);
  await work().finally(() => stop.abort());
  return asking;
}

/**
 * A pool with many members that are known and that nobody asks for: how often each is read after the end of a round, and how
 * quick the stakes of another account are answered meanwhile. The node is a local network, in front of which a double answers for
 * the members.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const members = sized({ full: 10_000, quick: 1_000, smallest: 20 });
  const idleMs = sized({ full: 60_000, quick: 15_000, smallest: 500 });
  const devnet = await startTonDevnet({
    network: 'mainnet',
    dataDir: join(folder, NETWORKS_FOLDER),
    host: '127.0.0.1',
    blockIntervalMs: 3_600_000,
    logger: createLogger('fatal'),
  });
  const node = await openReplacedServer(devnet.url);
  const reads = new Map<string, number>();
  const resultRaw = serializeTuple([4n, 3n, 2n, 1n].map(value => ({ type: 'int', value })))
    .toBoc()
    .toString('base64');
  node.answer = ({ url }, response) => {
    const [, seqno, member] = /^\/block\/(\d+)\/.*\/run\/get_member\/(.*)$/.exec(url!) ?? [];
    if (member === undefined) return false;
    reads.set(member, (reads.get(member) ?? 0) + 1);
    const block = { workchain: -1, seqno: Number(seqno), shard: '-9223372036854775808' };
    const blocks = { block: { ...block, rootHash: '', fileHash: '' } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ exitCode: 0, gasUsed: 0, resultRaw, ...blocks, shardBlock: blocks.block }));
    return true;
  };
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    TON_RPC_URL_MAINNET: node.url,
    DATA_DIR: join(folder, 'program'),
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_ADDRESS: String(10 ** 9),
  };
  say(`filling the documents with ${members} members`);
  await run('programs/prepare-members', [String(members)], { env }).ended();
  const program = run('programs/serve', [], { env });
  const url = await program.next<string>();

  const roundEnd = run('programs/end-round', [], { env });
  await roundEnd.next();

  say('asking while nothing happens');
  const first = new Agent();
  await until(
    () => statusOfStakes(url, first),
    status => status === 200,
  );
  await first.close();
  await whileAsking(url, () => sleep(idleMs));
  const idle = await whileAsking(url, () => sleep(idleMs));
  if (reads.size > 0) throw new Error('members were read before the end of the round');

  say('asking after the end of the round');
  const began = performance.now();
  const busy = await whileAsking(url, async () => {
    roundEnd.send('');
    await roundEnd.ended();
    const deadline = performance.now() + 180_000 + (members * 1_000) / MIN_PER_SECOND;
    while (reads.size < members) {
      if (performance.now() > deadline) throw new Error(`${reads.size} of ${members} members were read`);
      await sleep(POLL_MS);
    }
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  await program.stop();
  await node.close();
  await devnet.close();
  const what = `${members} members after a round`;
  return [
    figure(
      { what: `${what}: reads of one, to one`, unit: 'reads', note: `all within ${seconds} s` },
      once(Math.max(...reads.values()), 1),
      { of: 'value', atMost: 1 },
    ),
    figure(
      {
        what: `${what}: p99 of stakes, to an idle run`,
        unit: 'ms',
        note: `p50 ${quantile(busy, 0.5).toFixed(2)} to ${quantile(idle, 0.5).toFixed(2)} ms`,
      },
      once(quantile(busy, 0.99), quantile(idle, 0.99)),
      { of: 'ratio', atMost: 1.5 },
    ),
  ];
};
