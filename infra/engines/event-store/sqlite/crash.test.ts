import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { compiledPath } from '../../compiled-path';
import { openDatabase } from '../../sqlite/database';
import type { EventStore, RecordedEvent } from '../../../../contracts/ports/event-store';
import { openSqliteEventStore } from './sqlite-event-store';
import { scaled } from '../../../../test/random';
import '../../../../test/starts-programs';

const folder = temporaryFolder();

const program = compiledPath('test/crash/append-events.ts');

const CYCLES = scaled(2);

interface Appender {
  running(): boolean;
  readonly acknowledged: { readonly stream: string; readonly revision: number; readonly position: number }[];
  kill(): Promise<void>;
}

const startAppender = (path: string, name: string): Appender => {
  const child: ChildProcess = spawn(process.execPath, [program, path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Appender['acknowledged'] = [];
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const [stream, revision, position] of lines.map(line => line.split(' ')))
      acknowledged.push({ stream: stream!, revision: Number(revision), position: Number(position) });
  });
  return {
    running: () => child.exitCode === null,
    acknowledged,
    kill: async () => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
};

const hasAtLeast = async (count: number, { acknowledged, running }: Appender): Promise<void> => {
  while (acknowledged.length < count) {
    if (!running()) throw new Error(`${program} exited unexpectedly`);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
};

const everything = async (store: EventStore): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readAll()) events.push(...batch);
  return events;
};

/** No gaps in positions and revisions, no partial appends, and every acknowledged append at its position. */
const expectConsistent = (events: readonly RecordedEvent[], appenders: readonly Appender[]): void => {
  const streams = new Map<string, number>();
  for (const [index, { position, stream, revision, data }] of events.entries()) {
    expect(position).toBe(index);
    expect(revision).toBe((streams.get(stream) ?? -1) + 1);
    expect(data).toEqual({ n: revision });
    streams.set(stream, revision);
  }
  for (const last of streams.values()) expect(last % 3).toBe(2);
  for (const { stream, revision, position } of appenders.flatMap(({ acknowledged }) => acknowledged))
    expect(events[position]).toMatchObject({ stream, revision });
};

test('no acknowledged append is lost and none is partial, however often the process is killed', async () => {
  const path = join(folder, 'killed.db');
  const appenders: Appender[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const appender = startAppender(path, `cycle${cycle}`);
    await hasAtLeast(8 + (cycle % 10) * 23, appender);
    await appender.kill();
    appenders.push(appender);
    const store = openSqliteEventStore({ path });
    expectConsistent(await everything(store), appenders);
    await store.close();
  }
  const database = openDatabase(path);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([['ok']]);
  database.close();
});

test('a subscriber in another process gets each event of three concurrent writers once and in order', async () => {
  const path = join(folder, 'shared.db');
  const store = openSqliteEventStore({ path });
  const appenders = ['one', 'two', 'three'].map(name => startAppender(path, name));
  const hasHundred = ({ acknowledged }: Appender): boolean => acknowledged.length >= 100;
  const seen: RecordedEvent[] = [];
  for await (const { events, position } of store.subscribe({
    after: -1,
    signal: AbortSignal.timeout(60_000),
  })) {
    seen.push(...events);
    expect(position).toBe(seen.length - 1);
    if (appenders.every(hasHundred)) break;
    if (seen.length % 5 === 0)
      await store.append(
        `own-${randomUUID()}`,
        'no_stream',
        [0, 1, 2].map(n => ({ id: randomUUID(), type: 'tick', data: { n } })),
      );
  }
  await Promise.all(appenders.map(appender => appender.kill()));
  expect(appenders.every(hasHundred)).toBe(true);
  const events = await everything(store);
  expectConsistent(events, appenders);
  expect(seen).toEqual(events.slice(0, seen.length));
  await store.close();
});
