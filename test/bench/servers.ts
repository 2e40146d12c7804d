import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { messageOf } from '../../contracts/text/error-message';
import { kafka } from '../servers/kafka';
import { redis } from '../servers/redis';
import type { RunningServer } from '../servers/server';
import { benchOptions, benchRows, type Flags } from './bench-rows';

/*
 * npm run bench:servers [-- --quick | --smallest] [--only <row>] [--no-record]
 *
 * The adapters of servers against the bare client libraries, both on the same server in turn. Only real servers are
 * measured: the speed of a stand-in or a double says nothing about the real one. What a command costs in calls of a distant event
 * store is measured on the double of EventStoreDB, to the embedded one; catching up on MongoDB to SQLite on the server of
 * MONGODB_URL, without it on the stand-in, and the row says so: that compares two versions of the adapter.
 */

const ROWS = [
  'servers-publish',
  'servers-consume',
  'servers-jobs',
  'servers-latency',
  'servers-commands',
  'servers-catch-up',
] as const;
const SERVERS = [kafka, redis];
const UNMEASURED =
  'not measured: the speed of EventStoreDB, of which the tests have a double, and without MONGODB_URL that of MongoDB';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function bench({ only, ...flags }: Flags & { readonly only?: (typeof ROWS)[number] }): Promise<void> {
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
    await benchRows(only ? [only] : ROWS, flags, { env, servers });
  } finally {
    await Promise.allSettled(running.map(server => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

const command = new Command('bench:servers')
  .description('measures the adapters of Kafka and Redis against the bare clients in the same run')
  .addOption(new Option('--only <row>', 'only one row').choices(ROWS))
  .action(bench);
for (const option of benchOptions()) command.addOption(option);
command.parseAsync().catch((error: unknown) => {
  say(messageOf(error));
  process.exitCode = 1;
});
