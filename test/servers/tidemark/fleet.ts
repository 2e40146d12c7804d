import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { begin, tidemarkJson, type Settings, type Tidemark } from '../../e2e/tidemark';

/** The program, one process per role, on engines that they share. */
export interface Fleet {
  readonly settings: Settings;
  readonly of: (role: string) => readonly Tidemark[];
  readonly all: () => readonly Tidemark[];
  /** Starts so many more processes of a role; resolves once they are ready. */
  add(role: string, count?: number): Promise<readonly Tidemark[]>;
  /** Ends one without warning, and forgets it. */
  killOne(role: string): Promise<void>;
  /** Of an admin in a secure session. */
  token(): Promise<string>;
  /** The last warnings and errors of those that are up: for the message of a failed test. */
  complaints(): string;
  /** Ends all, expecting that each does so in good order. */
  stop(): Promise<void>;
}

/** Ports that local networks take, one after the other. */
const NETWORK_PORTS = 7;

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

async function freeNeighbours(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(free => free)) return first;
  }
}

const COMPLAINTS = 10;
const LONGEST_LINE = 500;

const complaintsOf = (program: Tidemark): string =>
  program
    .output()
    .split('\n')
    .filter(line => line !== '' && !/^\{"level":[123]0,/.test(line))
    .slice(-COMPLAINTS)
    .map(line => line.slice(0, LONGEST_LINE))
    .join('\n');

export async function openFleet(servers: Settings, more: Settings = {}): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-fleet-'));
  const settings: Settings = {
    DATA_DIR: join(folder, 'data'),
    LOCAL_NETWORK_PORT: String(await freeNeighbours(NETWORK_PORTS)),
    LOCAL_TRAFFIC: 'false',
    ...servers,
    ...more,
  };
  const fleet = new Map<string, Tidemark[]>();
  const begun: ReturnType<typeof begin>[] = [];
  const of = (role: string): Tidemark[] => fleet.get(role) ?? [];
  const all = (): Tidemark[] => [...fleet.values()].flat();
  return {
    settings,
    of,
    all,
    async add(role, count = 1) {
      const starting = Array.from({ length: count }, () => begin(settings, ['run', role]));
      begun.push(...starting);
      const started = await Promise.all(starting.map(each => each.ready()));
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
    complaints: () =>
      [...fleet]
        .flatMap(([role, programs]) => programs.map(program => `${role}:\n${complaintsOf(program)}`))
        .join('\n'),
    async stop() {
      const up = new Set(all().map(({ process }) => process));
      // Those that never became ready, of a test that failed over it.
      await Promise.all(begun.filter(({ process }) => !up.has(process)).map(each => each.kill('SIGKILL')));
      const ends = await Promise.all(all().map(program => program.kill('SIGTERM')));
      rmSync(folder, { recursive: true, force: true });
      expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null })));
    },
  };
}
