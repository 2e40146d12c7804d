import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { spawnTidemark, tidemarkJson, type Settings, type Tidemark } from '../../e2e/tidemark';
import { temporaryFolder } from '../../temporary-folder';

/** The program, one process per role, on engines that they share. */
export interface Fleet {
  readonly settings: Settings;
  readonly of: (role: string) => readonly Tidemark[];
  readonly all: () => readonly Tidemark[];
  /** Starts more processes of a role, or of several with a space between; resolves once they are ready, or listen. */
  add(role: string, count?: number, awaited?: 'ready' | 'listening'): Promise<readonly Tidemark[]>;
  /** Kills one process of a role with SIGKILL. */
  killOne(role: string): Promise<void>;
  /** An access token of an admin in a secure session. */
  token(): Promise<string>;
  /** The last warnings and errors of the running processes, for the message of a failed test. */
  recentErrors(): string;
  /** Stops all processes, and expects each to exit with 0. */
  stop(): Promise<void>;
}

/** Consecutive ports that local networks need. */
const NETWORK_PORTS = 8;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await Promise.all([once(server, 'listening'), server.listen(port, '127.0.0.1')]);
    return true;
  } catch {
    return false;
  } finally {
    await new Promise(resolve => server.close(resolve));
  }
}

async function freePortRange(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(free => free)) return first;
  }
}

/** What a program ends with when a server does not answer in seconds: its supervisor starts it again. */
const NO_ANSWER = /did not respond within|no writable server answered in time/;
const MAX_STARTS = 5;

const MAX_ERRORS = 10;
const MAX_LINE_LENGTH = 500;

const errorsIn = (program: Tidemark): string =>
  program
    .output()
    .split('\n')
    .filter(line => line !== '' && !/^\{"level":[123]0,/.test(line))
    .slice(-MAX_ERRORS)
    .map(line => line.slice(0, MAX_LINE_LENGTH))
    .join('\n');

export async function openFleet(servers: Settings, more: Settings = {}): Promise<Fleet> {
  const folder = temporaryFolder();
  const settings: Settings = {
    DATA_DIR: join(folder, 'data'),
    LOCAL_NETWORK_PORT: String(await freePortRange(NETWORK_PORTS)),
    LOCAL_TRAFFIC: 'false',
    ...servers,
    ...more,
  };
  const fleet = new Map<string, Tidemark[]>();
  const begun: ReturnType<typeof spawnTidemark>[] = [];
  const of = (role: string): Tidemark[] => fleet.get(role) ?? [];
  const all = (): Tidemark[] => [...fleet.values()].flat();
  const startOne = async (role: string, awaited: 'ready' | 'listening'): Promise<Tidemark> => {
    for (let starts = 1; ; starts++) {
      const starting = spawnTidemark(settings, ['run', ...role.split(' ')]);
      begun.push(starting);
      try {
        return await (awaited === 'ready' ? starting.ready() : starting.listening());
      } catch (error) {
        if (starts === MAX_STARTS || !NO_ANSWER.test(String(error))) throw error;
      }
    }
  };
  return {
    settings,
    of,
    all,
    async add(role, count = 1, awaited = 'ready') {
      const started = await Promise.all(Array.from({ length: count }, () => startOne(role, awaited)));
      fleet.set(role, [...of(role), ...started]);
      return started;
    },
    async killOne(role) {
      const [victim, ...others] = of(role);
      fleet.set(role, others);
      expect(await victim!.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    },
    token: async () =>
      (
        await tidemarkJson<{ token: string }>(
          ['token', '--role', 'admin', '--secure', '--ttl', '86400'],
          settings,
        )
      ).token,
    recentErrors: () =>
      [...fleet]
        .flatMap(([role, programs]) => programs.map(program => `${role}:\n${errorsIn(program)}`))
        .join('\n'),
    async stop() {
      const up = new Set(all().map(({ process }) => process));
      // Those that never became ready, after a failed test.
      await Promise.all(begun.filter(({ process }) => !up.has(process)).map(each => each.kill('SIGKILL')));
      const ends = await Promise.all(
        [...fleet].flatMap(([role, programs]) =>
          programs.map(async program => {
            const { code, signal } = await program.kill('SIGTERM');
            return code === 0 ? '' : `${role} ended with ${code ?? signal}:\n${errorsIn(program)}`;
          }),
        ),
      );
      expect(ends.filter(end => end !== '')).toEqual([]);
    },
  };
}
