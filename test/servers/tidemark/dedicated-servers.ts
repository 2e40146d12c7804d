import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from '../server';
import { servers, type ServerName } from '../servers';

/** One server of each kind, for one test file that stops or kills them. */
export interface DedicatedServers {
  readonly running: Readonly<Record<ServerName, RunningServer>>;
  /** The settings that connect the program to all of them. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const NAMES = Object.keys(servers) as ServerName[];

export async function startDedicatedServers(): Promise<DedicatedServers> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-servers-'));
  const starts = await Promise.allSettled(NAMES.map(name => servers[name].start(join(folder, name))));
  const started = starts.flatMap(start => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.allSettled(started.map(server => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  const failed = starts.find(start => start.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const running = Object.fromEntries(
    NAMES.map((name, index) => [name, started[index]!]),
  ) as DedicatedServers['running'];
  return {
    running,
    settings: Object.fromEntries(NAMES.map(name => [servers[name].setting, running[name].url])),
    stop,
  };
}
