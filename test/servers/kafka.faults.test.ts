import { join } from 'node:path';
import { pino } from 'pino';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { openKafkaLog } from '../../infra/engines/log/kafka/kafka-log';
import type { KafkaLogOptions } from '../../infra/engines/log/kafka/options';
import type { Log, LogMessage, NewMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../../projections/projection';
import { compiledPath } from '../../infra/engines/compiled-path';
import { allContents, newName, numbered, numbersOf, range } from '../contracts/log/fixtures';
import { dataFolder, until } from '../projections/program';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { kafka } from './kafka';
import { startProgram } from './program';
import type { RunningServer } from './server';

const PARTITIONS = 4;
const RESTART_TIMEOUT_MS = 300_000;
const KILLS = Math.min(scaled(1), 3);
const KEYS = Array.from({ length: 20 }, (_, n) => `account-${n}`);

let home: string;
let broker: RunningServer;
let logs: Log[] = [];

beforeAll(async () => {
  home = temporaryFolder();
  broker = await kafka.start(join(home, 'broker'));
});
afterAll(() => broker.stop());
afterEach(async () => {
  await Promise.all(logs.map(log => log.close()));
  logs = [];
});

const open = async (options: Partial<KafkaLogOptions> = {}): Promise<Log> => {
  const log = await openKafkaLog({
    brokers: [broker.url],
    sessionTimeoutMs: 6000,
    logger: pino({ level: 'silent' }),
    ...options,
  });
  logs.push(log);
  return log;
};

const newTopic = async (log: Log, partitions = PARTITIONS): Promise<string> => {
  const name = newName();
  await log.declare([{ name, partitions, cleanup: 'delete' }]);
  return name;
};

const killAndRestart = async (): Promise<void> => {
  await broker.kill();
  await broker.restart();
};

/** The messages of each account, in order: shows which are lost, duplicated or reordered. */
const statements = (topic: string): LogProjection => ({
  name: 'statements',
  version: 1,
  topics: [topic],
  collections: [{ name: 'statements', indexes: [] }],
  touches: ({ key }) => [{ collection: 'statements', id: key }],
  fold: (document, { value }, { id }) => ({
    _id: id,
    lines: [...((document?.['lines'] as string[] | undefined) ?? []), value.toString()],
  }),
});

const linesOf = (messages: readonly LogMessage[], key: string): string[] =>
  messages.filter(message => message.key === key).map(({ value }) => value.toString());

/** Publishes one message per account in each round, until stopped. */
const publisher = (log: Log, topic: string, name: string) => {
  const acknowledged: string[] = [];
  let failures = 0;
  let isRunning = true;
  const run = async (): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const messages: NewMessage[] = KEYS.map(key => ({
        key,
        value: Buffer.from(`${name}-${key}-${round}`),
      }));
      await log.publish(topic, messages).then(
        () => acknowledged.push(...messages.map(({ value }) => value.toString())),
        error => {
          expect(error).toBeInstanceOf(EngineUnavailable);
          failures += 1;
        },
      );
    }
  };
  const running = run();
  return {
    acknowledged,
    failures: () => failures,
    stop: async () => {
      isRunning = false;
      await running;
    },
  };
};

test('no message is lost, duplicated or reordered when the broker is killed while two programs publish and fold', async () => {
  const folder = dataFolder();
  try {
    // On a busy machine a restart takes longer than a publish usually waits.
    const options = { deliveryTimeoutMs: RESTART_TIMEOUT_MS };
    const [one, other] = [await open(options), await open(options)];
    const topic = await newTopic(one);
    const projections = [statements(topic)];
    const programs = [one, other].map(log => folder.open({ projections, log }));
    for (const program of programs) program.start();
    const publishers = [publisher(one, topic, 'one'), publisher(other, topic, 'other')];
    const published = (): number =>
      publishers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = published();
      await until(() => published() >= before + 2000);
      await killAndRestart();
    }
    const after = published();
    await until(() => published() >= after + 1000);
    await Promise.all(publishers.map(({ stop }) => stop()));

    const { engine, views } = programs[0]!;
    await until(async () => (await engine.status())[0]!.lag === 0);
    const messages = await allContents(one, topic);
    const values = messages.map(({ value }) => value.toString());
    const inLog = new Set(values);
    const acknowledged = publishers.flatMap(publisher => publisher.acknowledged);
    expect(acknowledged.filter(value => !inLog.has(value))).toEqual([]);
    // Only a failed publish may have been partial.
    const failures = publishers.reduce((sum, { failures: failed }) => sum + failed(), 0);
    expect(failures).toBe(0);
    expect(values).toHaveLength(inLog.size);
    const found = await views.getMany('statements', KEYS);
    for (const key of KEYS) expect(found.get(key)!['lines']).toEqual(linesOf(messages, key));
    process.stderr.write(
      `${KILLS} kills: ${acknowledged.length} messages acknowledged, ${values.length} in the log and folded once\n`,
    );
  } finally {
    await folder.remove();
  }
});

test('the current batch of a killed member is delivered to the others', async () => {
  const log = await open();
  const [topic, group] = [await newTopic(log), newName()];
  await log.publish(topic, numbered(400));
  const member = await startProgram(
    process.execPath,
    [compiledPath(join(__dirname, 'kafka-member.ts')), broker.url, '6000', group, topic],
    join(home, 'member.log'),
  );
  const done = (): number[] => member.output().split('\n').slice(0, -1).map(Number);
  await member.answers(async () => expect(done().length).toBeGreaterThan(20), 300_000);
  await member.end('SIGKILL');

  const ours: number[] = [];
  const end = new AbortController();
  const consuming = log.consume({ group, topics: [topic], signal: end.signal }, async ({ messages }) => {
    ours.push(...numbersOf(messages));
  });
  const ends = String(await log.endOffsets(topic));
  await until(async () => String(await log.committedOffsets(group, topic)) === ends);
  end.abort();
  await consuming;
  expect(new Set([...done(), ...ours])).toEqual(new Set(range(400)));
  // At most the current batch of each partition was handled but not committed.
  expect(ours.length).toBeLessThanOrEqual(400 - done().length + PARTITIONS * 5);
});

test('a read continues after a restart of the broker', async () => {
  const log = await open();
  const topic = await newTopic(log, 1);
  const values = Array.from({ length: 9000 }, (_, n) => String(n));
  await log.publish(
    topic,
    values.map(value => ({ key: 'k', value: Buffer.from(value.padEnd(1000)) })),
  );
  const found: string[] = [];
  let killed: Promise<void> | null = null;
  for await (const { messages } of log.read({ topic, partition: 0, from: 0, follow: false })) {
    found.push(...messages.map(({ value }) => value.toString().trim()));
    killed ??= killAndRestart();
  }
  expect(found).toEqual(values);
  await killed;
});

test('a publish fails while the broker is down, and the next succeeds after its restart', async () => {
  const log = await open({ deliveryTimeoutMs: 2000 });
  const topic = await newTopic(log, 1);
  const message = (text: string): NewMessage => ({ key: 'k', value: Buffer.from(text) });
  await log.publish(topic, [message('before')]);
  await broker.kill();
  const lost = [log.publish(topic, [message('lost')]), log.publish(topic, [message('lost too')])];
  for (const publish of await Promise.allSettled(lost))
    expect(publish).toMatchObject({ status: 'rejected', reason: expect.any(EngineUnavailable) as unknown });
  await expect(log.endOffsets(topic)).rejects.toBeInstanceOf(EngineUnavailable);
  await expect(log.committedOffsets('group', topic)).rejects.toBeInstanceOf(EngineUnavailable);
  await broker.restart();
  await log.publish(topic, [message('after')]);
  const found = linesOf(await allContents(log, topic), 'k');
  expect([found[0], found.at(-1)]).toEqual(['before', 'after']);
  expect(found.length).toBe(new Set(found).size);
});
