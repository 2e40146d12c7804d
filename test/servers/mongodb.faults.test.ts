import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type BulkWriteResult,
  Collection,
  MongoBulkWriteError,
  MongoClient,
  MongoServerError,
} from 'mongodb';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { CheckpointMoved, type Document, type Documents } from '../../contracts/ports/documents';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { physicalSpecs } from '../../projections/engine/generation';
import { EVENTS } from '../../projections/engine/input-kinds';
import { allEvents } from '../../projections/engine/input-partition';
import { openPartitionWriter } from '../../projections/engine/partition-writer';
import type { EventProjection } from '../../projections/projection';
import { history } from '../contracts/builders';
import { ledger } from '../projections/ledger';
import { closed, dataFolder, paid, until } from '../projections/program';
import { scaled, SEED } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { startFaultyProxy } from './faulty-proxy';
import { mongodb as standIn } from './mongodb';
import type { RunningServer } from './server';
import { commitTo, LAST, numbersAfter, play, positionOf, SPECS } from './mongodb/script';

// Many rounds, each with clients of its own; other tests use the processor too.
jest.setTimeout(600_000);

const url = process.env['MONGODB_URL']!;
/** At a small scale a writer is killed at some of its writes, at others for each seed. */
const KILLED_EVERY = Math.max(1, 4 - scaled(1));
const databases: string[] = [];
const opened: Documents[] = [];

const newDatabase = (): string => {
  databases.push(`tidemark-${randomUUID()}`);
  return databases.at(-1)!;
};

const open = async (database: string, at = url): Promise<Documents> => {
  // The program gives up after seconds; a busy machine may take longer.
  const documents = await until(() =>
    openMongoDocuments({ url: at, database, wakeUps: createLocalWakeUps() }),
  );
  opened.push(documents);
  return documents;
};

/** Answers as a test asks it to, and is killed. A test that starts it leaves it running. */
let own: RunningServer | undefined;
const ownServer = async (): Promise<RunningServer> =>
  (own ??= await standIn.start(join(temporaryFolder(), 'server')));

/** Without another try: the program waits out what a test has the server answer. */
const openOwn = async (): Promise<Documents> => {
  const { url: at } = await ownServer();
  const documents = await openMongoDocuments({
    url: at,
    database: newDatabase(),
    wakeUps: createLocalWakeUps(),
  });
  opened.push(documents);
  return documents;
};

afterEach(async () => {
  for (const documents of opened.splice(0)) await documents.close();
});

afterAll(async () => {
  await own?.stop();
  const client = new MongoClient(url);
  for (const database of databases) await client.db(database).dropDatabase();
  await client.close();
});

const all = async (documents: Documents, collection: string): Promise<Document[]> => [
  ...(await documents.find(collection, { limit: 1_000 })).documents,
];

/** Documents, checkpoint and counters are of the same commit. */
const expectWhole = async (documents: Documents): Promise<number> => {
  const position = await positionOf(documents);
  const numbers = numbersAfter(position);
  expect(await all(documents, 'numbers')).toEqual(numbers);
  expect(await all(documents, 'log')).toHaveLength(position);
  expect(await documents.count('numbers')).toBe(numbers.length);
  for (let n = 1; n <= LAST; n++)
    expect(await documents.count('numbers', { n })).toBe(
      numbers.filter(document => document['n'] === n).length,
    );
  return position;
};

test('a commit whose writer is killed at any of its writes is applied completely or not at all', async () => {
  const writer = compiledPath(join(__dirname, 'mongodb', 'crashing-writer.ts'));
  const positions: number[] = [];
  let deaths = 0;

  const dieAt = async (nth: number, when: 'before' | 'after'): Promise<boolean> => {
    const database = newDatabase();
    const child = spawn(process.execPath, [writer, url, database, String(nth), when], { stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (code === 0) return false;
    expect(signal).toBe('SIGKILL');
    deaths++;
    const survivor = await open(database);
    await survivor.declare(SPECS);
    positions.push(await expectWhole(survivor));
    await play(survivor);
    expect(await expectWhole(survivor)).toBe(LAST);
    return true;
  };

  const AT_ONCE = 4;
  for (let nth = 1 + (SEED % KILLED_EVERY), survived = false; !survived; nth += AT_ONCE * KILLED_EVERY) {
    const runs = Array.from({ length: AT_ONCE }, (_, i) => [
      dieAt(nth + i * KILLED_EVERY, 'before'),
      dieAt(nth + i * KILLED_EVERY, 'after'),
    ]);
    survived = (await Promise.all(runs.flat())).includes(false);
  }
  const seen = [0, 1, 2, 3, 4].map(position => positions.filter(at => at === position).length);
  process.stderr.write(`killed ${deaths} times; found at positions 0 to ${LAST}: ${seen.join(', ')} times\n`);
  // Where only some writes are tried, a commit of few writes may be passed over.
  expect(new Set(positions).size).toBeGreaterThanOrEqual(KILLED_EVERY === 1 ? LAST : 2);
});

test('concurrent commits under one checkpoint are applied once each', async () => {
  const database = newDatabase();
  const clients = [await open(database), await open(database), await open(database)];
  await clients[0]!.declare([{ name: 'sums', indexes: [], counts: [['sum']] }]);
  const add = async (documents: Documents): Promise<void> => {
    for (;;) {
      const expect = await documents.checkpoint('sum');
      const sum = Number((await documents.get('sums', 'all'))?.['sum'] ?? 0) + 1;
      const position = expect && 'position' in expect ? expect.position + 1 : 1;
      try {
        return await documents.commit({
          writes: [{ collection: 'sums', id: 'all', document: { _id: 'all', sum } }],
          checkpoint: { name: 'sum', value: { position }, expect },
        });
      } catch (error) {
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    }
  };
  const TIMES = 15;
  await Promise.all(
    clients.map(async documents => {
      for (let i = 0; i < TIMES; i++) await add(documents);
    }),
  );
  const total = clients.length * TIMES;
  expect(await clients[0]!.get('sums', 'all')).toEqual({ _id: 'all', sum: total });
  expect(await clients[0]!.checkpoint('sum')).toEqual({ position: total });
  expect(await clients[0]!.count('sums', { sum: total })).toBe(1);
  expect(await clients[0]!.count('sums', { sum: total - 1 })).toBe(0);
});

type FailCommand = (mode: object | 'off', data?: object) => Promise<unknown>;

/** With a server that fails commands. */
async function withFailures(test: (failCommand: FailCommand) => Promise<void>): Promise<void> {
  const client = new MongoClient((await ownServer()).url);
  const failCommand: FailCommand = (mode, data = {}) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  try {
    await test(failCommand);
  } finally {
    await failCommand('off');
    await client.close();
  }
}

test('commits are whole whatever the server answers to them', () =>
  withFailures(async failCommand => {
    const often = { activationProbability: 0.3 };
    const transient = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
    const unknown = { errorLabels: ['UnknownTransactionCommitResult'] };
    for (const [mode, data] of [
      [often, { failCommands: ['find', 'insert', 'update', 'delete'], ...transient }],
      [often, { failCommands: ['commitTransaction'], ...transient }],
      [often, { failCommands: ['commitTransaction'], errorCode: 91, ...unknown }],
      [
        often,
        {
          failCommands: ['commitTransaction'],
          writeConcernError: { code: 64, errmsg: 'waiting' },
          ...unknown,
        },
      ],
      [{ times: 3 }, { failCommands: ['commitTransaction', 'update'], closeConnection: true }],
    ] as const) {
      const documents = await openOwn();
      await documents.declare(SPECS);
      await failCommand(mode, data);
      for (let position = 0; position < LAST;) {
        const error = await documents.commit(commitTo(position + 1)).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error !== null) expect(error).toBeInstanceOf(CheckpointMoved);
        position++;
        await failCommand('off');
        expect(await expectWhole(documents)).toBe(position);
        await failCommand(mode, data);
      }
      await failCommand('off');
    }
  }));

/** What the server answers when another one becomes the primary. */
const STEPPED_DOWN = { errorCode: 189, errorLabels: ['RetryableWriteError'] };

test.each([
  ['create', STEPPED_DOWN],
  ['insert', { errorCode: 11_602, errorLabels: ['TransientTransactionError'] }],
  ['find', { errorCode: 10_107 }],
  ['delete', { closeConnection: true }],
])('an election during the opening, at its %s, is waited out', (command, failure) =>
  withFailures(async failCommand => {
    // The driver repeats some by itself, once.
    await failCommand({ times: 3 }, { failCommands: [command], ...failure });
    const documents = await openOwn();
    await play(documents);
    expect(await expectWhole(documents)).toBe(LAST);
  }),
);

test('an election during the opening, at its bulk write, is not taken for what the server lacks', async () => {
  const bulkWrite = jest.spyOn(Collection.prototype, 'bulkWrite');
  const steppedDown = new MongoServerError({ message: 'stepped down', code: 189 });
  const failed = new MongoBulkWriteError(steppedDown, Object.create(null) as BulkWriteResult);
  bulkWrite.mockRejectedValueOnce(failed);
  try {
    const opening = openMongoDocuments({ url, database: newDatabase(), wakeUps: createLocalWakeUps() });
    opened.push(await opening);
    expect(bulkWrite).toHaveBeenCalledTimes(2);
  } finally {
    bulkWrite.mockRestore();
  }
});

test('a commit whose replies are lost throws EngineUnavailable and is applied completely or not at all', async () => {
  const { hostname, port } = new URL(url.split(',')[0]!);
  const proxy = await startFaultyProxy({ host: hostname, port: Number(port || 27_017) });
  const database = newDatabase();
  try {
    const documents = await open(
      database,
      `mongodb://${proxy.host}:${proxy.port}/?directConnection=true&socketTimeoutMS=60000`,
    );
    await documents.declare(SPECS);
    for (let round = 1, position = 0; position < LAST; round++) {
      let ended = false;
      const playing = play(documents)
        .then(
          () => null,
          (error: unknown) => error,
        )
        .finally(() => (ended = true));
      const enough = proxy.bytesReceived() + 1_000 * round;
      await until(() => ended || proxy.bytesReceived() > enough);
      proxy.dropReplies();
      await new Promise(resolve => setTimeout(resolve, 50));
      proxy.reset();
      const error = await playing;
      proxy.restore();
      if (error !== null)
        expect([EngineUnavailable, CheckpointMoved]).toContainEqual((error as Error).constructor);
      const other = await open(database);
      position = await expectWhole(other);
      await until(() =>
        documents.checkpoint('script').then(
          () => true,
          () => false,
        ),
      );
      expect(await expectWhole(documents)).toBeGreaterThanOrEqual(position);
    }
  } finally {
    await proxy.close();
  }
});

test('while the server is down the circuit breaker fails calls at once, and clients recover, also one that has committed nothing before', async () => {
  const [documents, unused] = [await openOwn(), await openOwn()];
  await documents.declare([{ name: 'things', indexes: [] }]);
  await documents.commit({ writes: [{ collection: 'things', id: 'a', document: { _id: 'a' } }] });
  await unused.declare(SPECS);
  await own!.kill();
  try {
    const first = expect(unused.commit(commitTo(1))).rejects.toThrow(EngineUnavailable);
    // Each would take three seconds without the circuit breaker, longer than the timeout of this test.
    for (let n = 0; n < 1_000; n++)
      await expect(documents.get('things', 'a')).rejects.toThrow(EngineUnavailable);
    await first;
  } finally {
    await own!.restart();
  }
  await until(() => documents.get('things', 'a'));
  await documents.commit({ writes: [{ collection: 'things', id: 'b', document: { _id: 'b' } }] });
  expect(await all(documents, 'things')).toHaveLength(2);
  await until(() => unused.commit(commitTo(1)).then(() => true));
  expect(await expectWhole(unused)).toBe(1);
});

test('a projection continues after its server was killed and restarted, and equals a rebuild', async () => {
  const server = await ownServer();
  const database = newDatabase();
  const clients = [await open(database, server.url), await open(database, server.url)];
  const folder = dataFolder(() => clients.shift()!);
  try {
    const program = folder.open({ projections: [ledger] });
    program.start();
    const days = async (): Promise<number> => {
      const day: Document | null = await program.views.get('days', 'all').catch(() => null);
      return Number(day?.['events'] ?? 0);
    };
    let appended = 0;
    const ACCOUNTS = 13;
    const KILLS = Math.min(scaled(1), 3);
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = appended;
      const target = before + 400;
      const appending = (async () => {
        for (; appended < target; appended += 4)
          await program.store.append(
            `account-${appended % ACCOUNTS}`,
            'any',
            Array.from({ length: 4 }, (_, i) => paid(`${(appended + i) % ACCOUNTS}`, 1)),
          );
      })();
      await until(async () => (await days()) > before + 40 * kill);
      await server.kill();
      await appending;
      await server.restart();
    }
    await until(async () => (await days()) === appended);

    const signal = new AbortController().signal;
    const { comparison } = await folder
      .open({ projections: [ledger] })
      .engine.rebuild('ledger', { signal, switchWhen: 'never' });
    process.stderr.write(
      `server killed ${KILLS} times during ${appended} events: ${JSON.stringify(comparison)}\n`,
    );
    expect(comparison).toEqual({ documents: ACCOUNTS + 1, different: 0, inconclusive: 0, examples: [] });
    expect(await program.views.count('accounts')).toBe(ACCOUNTS);
  } finally {
    await folder.remove();
  }
});

test('a projection whose runner is killed within its commits equals a rebuild', async () => {
  const runner = compiledPath(join(__dirname, 'mongodb', 'crashing-runner.ts'));
  const database = newDatabase();
  const clients = [await open(database), await open(database)];
  const folder = dataFolder(() => clients.shift()!);
  try {
    const program = folder.open({ projections: [ledger] });
    const ACCOUNTS = 11;
    const DEATHS = Math.min(scaled(3), 8);
    let appended = 0;
    const append = async (): Promise<void> => {
      const account = `${(appended * 7) % ACCOUNTS}`;
      await program.store.append('account-all', 'any', [
        appended % 5 === 4 ? closed(account) : paid(account, 1),
      ]);
      appended++;
    };
    const stopped = new AbortController();
    const appending = (async () => {
      while (!stopped.signal.aborted) {
        await append();
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    })();
    for (let death = 1; death <= DEATHS; death++) {
      const args = [runner, url, database, folder.path, String(1 + death * 2)];
      const child = spawn(process.execPath, args, { stdio: 'inherit' });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    }
    stopped.abort();
    await appending;

    program.start();
    const head = await program.store.head();
    expect(await program.views.waitForPosition('accounts', head, 60_000)).toBe(true);
    expect(await program.views.get('days', 'all')).toEqual({ _id: 'all', events: appended });
    const { signal } = new AbortController();
    const rebuilt = folder.open({ projections: [ledger] });
    const { comparison } = await rebuilt.engine.rebuild('ledger', { signal, switchWhen: 'never' });
    const accounts = comparison!.documents - 1;
    process.stderr.write(
      `runner killed ${DEATHS} times during ${appended} events: ${JSON.stringify(comparison)}\n`,
    );
    expect(comparison).toMatchObject({ different: 0, inconclusive: 0 });
    expect(await program.views.count('accounts')).toBe(accounts);
  } finally {
    await folder.remove();
  }
});

/** What a server answers within a transaction that it has ended, since it took longer than it lets one run. */
const ENDED = { message: 'ended', code: 251, errorLabels: ['TransientTransactionError'] };

test('a commit whose transaction the server ends each time is followed by smaller ones', async () => {
  const TOO_MANY = 60;
  const COUNT = 90;
  // Together in one commit.
  const text = 'x'.repeat(150_000);
  const texts: EventProjection = {
    ...ledger,
    touches: event => [{ collection: 'accounts', id: String(event.data['account']) }],
    fold: (_, event, { id }) => ({ _id: id, text: event.data['text'] as string }),
  };
  const happened = Array.from({ length: COUNT }, (_, n) => {
    const event = paid(String(n), 1);
    return ['account-all', { ...event, data: { account: String(n), text } }] as const;
  });
  const inputs = history(...happened);
  // With the time limits of the program, which a busy machine may miss.
  const documents = await open(
    newDatabase(),
    `mongodb://${new URL(url.split(',')[0]!).host}/?directConnection=true`,
  );
  await documents.declare(physicalSpecs(ledger.collections, 1));
  const { bulkWrite } = Collection.prototype;
  const ending = jest.spyOn(Collection.prototype, 'bulkWrite').mockImplementation(async function (
    this: Collection,
    operations,
    options,
  ) {
    if (operations.length > TOO_MANY) throw new MongoServerError(ENDED);
    return bulkWrite.call(this, operations, options);
  });
  try {
    // As the runner of a projection.
    await until(async () => {
      const inputsOf = allEvents(ledger.name, 1);
      const writer = await openPartitionWriter(documents, texts, 1, inputsOf, EVENTS);
      await writer.apply(inputs, COUNT - 1);
      return true;
    });
    expect(ending.mock.calls.some(([operations]) => operations.length > TOO_MANY)).toBe(true);
  } finally {
    ending.mockRestore();
  }
  expect(await documents.count('accounts@1')).toBe(COUNT);
  expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: COUNT - 1 });
});

test('a network without replies throws EngineUnavailable, and no data is damaged', async () => {
  const { hostname, port } = new URL(url.split(',')[0]!);
  const proxy = await startFaultyProxy({ host: hostname, port: Number(port || 27_017) });
  try {
    const documents = await open(
      newDatabase(),
      `mongodb://${proxy.host}:${proxy.port}/?directConnection=true`,
    );
    // With the time limits of the program, which a busy machine may miss.
    await until(() => play(documents).then(() => true));
    proxy.pause();
    const commit = { writes: [], checkpoint: { name: 'x', value: { position: 1 } } };
    await Promise.all([
      expect(documents.get('log', '1')).rejects.toThrow(EngineUnavailable),
      expect(documents.commit(commit)).rejects.toThrow(EngineUnavailable),
    ]);
    proxy.restore();
    await until(() =>
      documents.checkpoint('x').then(
        () => true,
        () => false,
      ),
    );
    expect(await until(() => expectWhole(documents))).toBe(LAST);
  } finally {
    await proxy.close();
  }
});
