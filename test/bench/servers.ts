import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { messageOf } from '../../contracts/error-message';
import { kafka } from '../servers/kafka';
import { redis } from '../servers/redis';
import type { RunningServer } from '../servers/server';
import { currentLoad, appendRun } from './run-history';
import { measureRows } from './measure-rows';
import { tableOf } from './table';

/*
 * npm run bench:servers [-- --quick] [--only <row>] [--no-record]
 *
 * The adapters of servers against the bare client libraries, both on the same server in turn. Only real servers are
 * measured: the speed of a stand-in or a double says nothing about the real one.
 */

const ROWS = ['servers-publish', 'servers-consume', 'servers-jobs', 'servers-latency'] as const;
const SERVERS = [kafka, redis];
const UNMEASURED = 'not measured: EventStoreDB and MongoDB, of which the tests have a double and a stand-in';

interface Flags {
  readonly quick: boolean;
  readonly only?: (typeof ROWS)[number];
  readonly record: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function bench({ quick, only, record }: Flags): Promise<void> {
  const began = performance.now();
  const load = currentLoad();
  const folder = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'tidemark-servers-'));
  const running: RunningServer[] = [];
  try {
    const env = { ...process.env };
    for (const server of SERVERS) {
      if (server.kind !== 'real') throw new Error(`${server.name} is a ${server.kind}: it is not measured`);
      const started = await server.start(join(folder, server.name));
      running.push(started);
      env[server.setting] = started.url;
    }
    const servers = running.map(({ version }) => version);
    say(`${servers.join(', ')}; ${UNMEASURED}`);
    const rows = await measureRows(only ? [only] : ROWS, quick, env);
    const seconds = Math.round((performance.now() - began) / 1_000);
    process.stdout.write(`${tableOf(Object.values(rows).flat()).join('\n')}\n`);
    say(`${servers.join(', ')}; ${UNMEASURED}`);
    say(`${seconds} s, load ${load} at the beginning`);
    if (record) say(`appended to ${appendRun({ quick, load, seconds, servers, rows })}`);
  } finally {
    await Promise.allSettled(running.map(server => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

new Command('bench:servers')
  .description('measures the adapters of Kafka and Redis against the bare clients in the same run')
  .option('--quick', 'smaller amounts, in two minutes', false)
  .addOption(new Option('--only <row>', 'only one row').choices(ROWS))
  .option('--no-record', 'do not append to the history')
  .action(bench)
  .parseAsync()
  .catch((error: unknown) => {
    say(messageOf(error));
    process.exitCode = 1;
  });
