import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../../../../test/contracts/log/fixtures';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { compiledPath } from '../../compiled-path';
import type { Log, LogMessage } from '../../../../contracts/ports/log';
import { openSqliteLog } from './sqlite-log';
import '../../../../test/starts-programs';

const folder = temporaryFolder();

const LEASE_MS = 600;
const program = compiledPath('test/crash/consume-log.ts');

const startMember = (path: string, leaseMs = LEASE_MS) => {
  const child: ChildProcess = spawn(process.execPath, [program, path, String(leaseMs), 'group', 'topic'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    /** Messages as `topic partition offset`. */
    handled: (): string[] => output.split('\n').slice(0, -1),
    kill: async (): Promise<void> => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
};

const publish = (log: Log, topic: string, count: number, value = 'continue'): Promise<void> =>
  log.publish(
    topic,
    Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, value: Buffer.from(value) })),
  );

const allOf = (topic: string, ends: readonly number[]): string[] =>
  ends
    .flatMap((end, partition) =>
      Array.from({ length: end }, (_, offset) => `${topic} ${partition} ${offset}`),
    )
    .sort();

test('the partitions of a killed member are reassigned and continue from the committed offset', async () => {
  const path = join(folder, 'killed.db');
  // The lease ends by the clock of the test: a member that is not scheduled handles messages twice after its lease.
  const leaseMs = 600_000;
  let aheadMs = 0;
  const log = openSqliteLog({ path, leaseMs, clock: () => new Date(Date.now() + aheadMs) });
  await log.declare([{ name: 'topic', partitions: 4, cleanup: 'delete' }]);
  await publish(log, 'topic', 40);
  const killed = startMember(path, leaseMs);
  await until(
    async () =>
      String(await log.committedOffsets('group', 'topic')) === String(await log.endOffsets('topic')),
  );
  const before = await log.endOffsets('topic');
  await publish(log, 'topic', 40, 'stall');
  await until(() => killed.handled().length === 44);
  await killed.kill();
  aheadMs = leaseMs + 1;

  const end = new AbortController();
  const taken: LogMessage[] = [];
  const consuming = log.consume(
    { group: 'group', topics: ['topic'], signal: end.signal },
    async ({ messages }) => {
      taken.push(...messages);
    },
  );
  await until(() => taken.length >= 40);
  end.abort();
  await consuming;
  expect(await log.committedOffsets('group', 'topic')).toEqual(await log.endOffsets('topic'));
  for (const [partition, from] of before.entries()) {
    const offsets = taken.filter(message => message.partition === partition).map(({ offset }) => offset);
    expect(offsets).toEqual(Array.from({ length: offsets.length }, (_, n) => from + n));
  }
  expect(taken).toHaveLength(40);
  await log.close();
});

test('members in several processes share a topic and miss no message while they are killed one by one', async () => {
  const path = join(folder, 'shared.db');
  const log = openSqliteLog({ path, leaseMs: LEASE_MS });
  await log.declare([{ name: 'topic', partitions: 6, cleanup: 'delete' }]);
  const members = [0, 1, 2].map(() => startMember(path));
  const sharing = async (count: number): Promise<void> => {
    const sizes = members.map(member => member.handled().length);
    await until(async () => {
      await publish(log, 'topic', 30);
      return members.filter((member, n) => member.handled().length > sizes[n]!).length === count;
    });
  };
  await sharing(3);
  await members[0]!.kill();
  await publish(log, 'topic', 30);
  await sharing(2);
  await members[1]!.kill();
  await until(
    async () =>
      String(await log.committedOffsets('group', 'topic')) === String(await log.endOffsets('topic')),
  );
  // The output of a process is complete only after it has exited.
  await members[2]!.kill();
  const handled = new Set(members.flatMap(member => member.handled()));
  expect([...handled].sort()).toEqual(allOf('topic', await log.endOffsets('topic')));
  await log.close();
});
