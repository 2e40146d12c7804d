import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { openEmbeddedEngines, type Engines } from '../../infra/engines/engines';
import { TargetNotEmpty } from '../../infra/cli/migrate/copy-task';
import { migrate, type MigrationOptions } from '../../infra/cli/migrate/migrate';
import { signMigratedCheckpoint } from '../../infra/cli/migrate/ledger-checkpoint';
import { TOPICS } from '../../infra/program/features';
import { verifyStore } from '../../infra/verifier/verify-store';
import { deleteUnusedKeys } from '../../services/retention/unused-keys';
import { openSubjectKeys, WrongMasterKey } from '../../services/personal-texts/keys';
import { createPersonalTexts } from '../../services/personal-texts/personal-texts';
import { createCheckpoints } from '../../services/ledger-tree/checkpoints';
import { makeLedgerKeys, openLedgerKeys, type LedgerKeys } from '../../services/ledger-tree/keys';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { runLedgerTreeBuilder } from '../../services/ledger-tree/builder';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { cursorFence, cursorWrite, loadCursor } from '../../indexers/ton/cursor';
import { TON_INDEXER_STATE } from '../../indexers/ton/indexer';

const folder = temporaryFolder();
let opened: Engines[] = [];
afterEach(async () => {
  await Promise.all(opened.map(engines => engines.close()));
  opened = [];
});

function open(): Engines {
  const engines = openEmbeddedEngines({ DATA_DIR: join(folder, randomUUID()) });
  opened.push(engines);
  return engines;
}

const TOPIC = TOPICS[0]!.name;
const never: MigrationOptions = { signal: new AbortController().signal, onProgress: () => undefined };

/** 30 streams with interleaved events, some in appends of two, and messages of 20 keys. */
async function fill({ store, log }: Engines): Promise<void> {
  for (let round = 0; round < 10; round++)
    for (let stream = 0; stream < 30; stream++) {
      const events = Array.from({ length: 1 + (stream % 2) }, () => ({
        id: randomUUID(),
        type: 'Noted',
        data: { round, stream },
        metadata: { actor: 'somebody', v: 1 },
      }));
      await store.append(`note-${stream}`, 'any', events);
    }
  await log.declare(TOPICS);
  await log.publish(
    TOPIC,
    Array.from({ length: 500 }, (_, n) => ({
      key: `key-${n % 20}`,
      value: Buffer.from(`value ${n}`),
      headers: { n: String(n) },
    })),
  );
}

const cursor = { seqno: 7, rootHash: 'root', shards: [] };

async function storeCursor({ documents }: ReturnType<typeof open>): Promise<void> {
  await documents.declare(TON_INDEXER_STATE.collections);
  await documents.commit({
    writes: [cursorWrite('mainnet', cursor, 9)],
    checkpoint: cursorFence('mainnet', null, cursor),
  });
}

test('everything is copied, equal and in order', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await storeCursor(from);

  const report = await migrate(from, to, never);

  expect(report.equal).toBe(true);
  expect(report.compared.find(({ name }) => name === 'events')).toMatchObject({
    from: { count: 450 },
    to: { count: 450 },
  });
  expect(report.compared.find(({ name }) => name === TOPIC)?.to.count).toBe(500);
  expect(await to.log.endOffsets(TOPIC)).toEqual(await from.log.endOffsets(TOPIC));
  expect(await loadCursor(to.documents, 'mainnet')).toMatchObject({ seqno: 7, tip: 9 });
  // An indexer that resumes there finds the checkpoint where it left it.
  const next = { ...cursor, seqno: 8 };
  await to.documents.commit({
    writes: [cursorWrite('mainnet', next, 9)],
    checkpoint: cursorFence('mainnet', cursor, next),
  });
});

test('consecutive events that are too large for one append are copied one by one', async () => {
  const [from, to] = [open(), open()];
  const text = 'x'.repeat(256 * 1024);
  for (let part = 0; part < 8; part++)
    await from.store.append('note-large', part === 0 ? 'no_stream' : part - 1, [
      { id: randomUUID(), type: 'Noted', data: { part, text }, metadata: { v: 1 } },
    ]);
  const report = await migrate(from, to, never);
  expect(report.equal).toBe(true);
  expect(report.compared.find(({ name }) => name === 'events')?.to.count).toBe(8);
});

test('of streams whose first events are deleted the rest is copied, also when that was interrupted', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  for (const [stream, revision] of [
    ['note-1', 2],
    ['note-2', 0],
    ['note-3', 18],
    ['note-4', 9],
  ] as const)
    await from.store.deleteUpTo(stream, revision);
  const stopped = new AbortController();
  const onProgress = (_step: string, done: number): void => {
    if (done > 200) stopped.abort();
  };
  await expect(migrate(from, to, { signal: stopped.signal, onProgress })).rejects.toThrow('abort');
  expect((await migrate(from, to, never)).equal).toBe(true);
  const ids = async ({ store }: Engines, stream: string): Promise<string[]> => {
    const events: string[] = [];
    for await (const { id } of store.readStream(stream)) events.push(id);
    return events;
  };
  for (const [stream, left] of [
    ['note-1', 17],
    ['note-2', 9],
    ['note-3', 1],
    ['note-4', 0],
  ] as const) {
    expect(await ids(to, stream)).toEqual(await ids(from, stream));
    expect(await ids(to, stream)).toHaveLength(left);
  }
});

test('of a stream whose first event is deleted no event is copied twice, wherever the copy was interrupted', async () => {
  const from = open();
  for (let n = 0; n < 6; n++)
    for (const stream of ['note-1', 'note-2'])
      await from.store.append(stream, 'any', [
        { id: randomUUID(), type: 'Noted', data: { n }, metadata: { v: 1 } },
      ]);
  await from.store.deleteUpTo('note-1', 0);
  await from.store.deleteUpTo('note-2', 2);
  for (let copied = 1; copied <= 8; copied++) {
    const to = open();
    const onProgress = (step: string, done: number): void => {
      if (step === 'events' && done >= copied) throw new Error('killed');
    };
    await expect(migrate(from, to, { ...never, onProgress })).rejects.toThrow('killed');
    const { compared } = await migrate(from, to, never);
    expect(compared[0]).toMatchObject({ to: { count: 8 }, equal: true });
  }
});

test('encrypted texts can be decrypted on the target, and erased ones stay erased', async () => {
  const [from, to] = [open(), open()];
  const masterKey = randomBytes(32);
  const there = await openSubjectKeys(from.vault, masterKey);
  const texts = createPersonalTexts(there);
  const encrypted = await Promise.all(['ann', 'bob'].map(subject => texts.encrypt(subject, `of ${subject}`)));
  await there.destroy('bob');

  expect(await migrate(from, to, never)).toMatchObject({ subjects: 2 });

  await expect(openSubjectKeys(to.vault, randomBytes(32))).rejects.toThrow(WrongMasterKey);
  const here = await openSubjectKeys(to.vault, masterKey);
  expect(await createPersonalTexts(here).decryptAll(encrypted)).toEqual(['of ann', null]);
  expect(await here.destroy('bob')).toBe(1);
  expect(await here.destroy('ann')).toBe(1);
  expect(await createPersonalTexts(here).decryptAll(encrypted)).toEqual([null, null]);
});

test('keys of texts with an age count as used once the target has recorded the texts', async () => {
  const [from, to] = [open(), open()];
  const masterKey = randomBytes(32);
  let now = Date.parse('2020-01-01T00:00:00.000Z');
  const clock = (): Date => new Date(now);
  const there = createPersonalTexts(await openSubjectKeys(from.vault, masterKey, clock));
  const subjects = ['ton:alice', 'ton:bob'];
  const texts = await Promise.all(subjects.map(subject => there.encrypt(subject, 'a', { hasAge: true })));
  await there.encrypt('ton:bob', 'without an age');
  await migrate(from, to, never);

  now += 1_000 * 86_400_000;
  const aging = { subjects: 'ton:', categories: ['none'], days: 1 } as const;
  const sweep = () => deleteUnusedKeys({ ...to, clock }, aging, never.signal);
  expect(await sweep()).toBe(0);
  const here = createPersonalTexts(await openSubjectKeys(to.vault, masterKey, clock));
  expect(await here.decryptAll(texts)).toEqual(['a', 'a']);
  now += 1_000 * 86_400_000;
  expect(await sweep()).toBe(1);
  expect(await here.decryptAll(texts)).toEqual([null, 'a']);
});

test('interrupted anywhere, it continues and copies nothing twice', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  let cuts = 0;
  for (let steps = 1; ; steps += 20) {
    const cut = new AbortController();
    let left = steps;
    try {
      const report = await migrate(from, to, {
        signal: cut.signal,
        onProgress: () => void (--left <= 0 && cut.abort(new Error('cut'))),
      });
      expect(report.equal).toBe(true);
      break;
    } catch (error) {
      expect((error as Error).message).toBe('cut');
      cuts++;
    }
  }
  expect(cuts).toBeGreaterThan(5);
});

test('messages published after the progress was stored are not published again', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  const publish = to.log.publish.bind(to.log);
  let calls = 0;
  const crashing: Engines = {
    ...to,
    log: {
      ...to.log,
      async publish(topic, messages) {
        await publish(topic, messages.slice(0, 3));
        if (++calls === 1) throw new Error('killed in the middle of a publish');
        await publish(topic, messages.slice(3));
      },
    },
  };
  await expect(migrate(from, crashing, never)).rejects.toThrow('killed');
  expect((await migrate(from, crashing, never)).equal).toBe(true);
});

test('differences are reported', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await migrate(from, to, never);
  await to.store.append('note-0', 'any', [{ id: randomUUID(), type: 'Noted', data: {}, metadata: { v: 1 } }]);
  const report = await migrate(from, to, never);
  expect(report.equal).toBe(false);
  expect(report.compared.filter(({ equal }) => !equal).map(({ name }) => name)).toEqual(['events']);
});

test('a migration that is run again on a target that is in use neither restores keys nor moves cursors there', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await storeCursor(from);
  const masterKey = randomBytes(32);
  const text = await createPersonalTexts(await openSubjectKeys(from.vault, masterKey)).encrypt('ann', 'a');
  expect((await migrate(from, to, never)).equal).toBe(true);

  const keys = await openSubjectKeys(to.vault, masterKey);
  await keys.destroy('ann');
  const erased = { id: randomUUID(), type: 'SubjectErased', data: {}, metadata: { v: 1 } };
  await to.store.append('erasure-ann', 'no_stream', [erased]);
  const next = { ...cursor, seqno: 8 };
  await to.documents.commit({
    writes: [cursorWrite('mainnet', next, 9)],
    checkpoint: cursorFence('mainnet', cursor, next),
  });

  const again = await migrate(from, to, never);
  expect(await createPersonalTexts(keys).decryptAll([text])).toEqual([null]);
  expect(await loadCursor(to.documents, 'mainnet')).toMatchObject({ seqno: 8 });
  expect(again).toMatchObject({ equal: false, indexers: 0, subjects: 0 });
});

test('a target that is in use is refused, and nothing is written there', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await to.store.append('other-1', 'no_stream', [
    { id: randomUUID(), type: 'Noted', data: {}, metadata: { v: 1 } },
  ]);
  await expect(migrate(from, to, never)).rejects.toThrow(TargetNotEmpty);
  const head = await to.store.head();
  await expect(migrate(from, to, never)).rejects.toThrow(TargetNotEmpty);
  expect(await to.store.head()).toBe(head);
});

describe('the ledger tree', () => {
  const built = async (engines: Engines, keys: LedgerKeys) => {
    const stopping = new AbortController();
    const reader = createLedgerTreeReader(engines.documents);
    const checkpoints = createCheckpoints({ store: engines.store, instanceId: 'local', keys });
    const builder = runLedgerTreeBuilder(
      {
        ...engines,
        reader,
        checkpoints,
        logger: pino({ level: 'silent' }),
        now: () => new Date(),
        checkpointEvery: { events: 10, milliseconds: 60_000 },
      },
      stopping.signal,
    );
    const head = await engines.store.head();
    await until(async () => (await reader.includedUpTo()) >= head || builder.fault() !== null);
    await until(async () => (await checkpoints.latest()) !== null);
    stopping.abort();
    await builder.done;
    return { fault: builder.fault(), reader, checkpoints, keys };
  };

  const fees = async ({ store }: Engines, from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++)
      await store.append(`fee-f${n}`, 'no_stream', [
        { id: randomUUID(), type: 'FeeRecorded', data: { id: `f${n}` }, metadata: { v: 1 } },
      ]);
  };

  test('is rebuilt on the target without contradicting the copied checkpoints', async () => {
    const [from, to] = [open(), open()];
    const file = join(folder, `${randomUUID()}.json`);
    await makeLedgerKeys(file);
    const keys = openLedgerKeys(file);
    await fees(from, 0, 25);
    const there = await built(from, keys);
    const before = await there.checkpoints.latest();

    expect((await migrate(from, to, never)).equal).toBe(true);
    const moving = {
      from: from.store,
      to: to.store,
      instanceId: 'local',
      keys,
      at: new Date().toISOString(),
    };
    const moved = await signMigratedCheckpoint(moving);
    expect(await signMigratedCheckpoint(moving)).toEqual(moved);
    expect(moved?.migratedFrom).toEqual(await there.reader.headAt(await from.store.head()));
    expect((await migrate(from, to, never)).equal).toBe(true);

    const here = await built(to, keys);
    expect(here.fault).toBeNull();
    await fees(to, 25, 40);
    await built(to, keys);
    const verified = await verifyStore({
      store: to.store,
      tree: here,
      checkpoints: [],
      signal: new AbortController().signal,
    });
    expect(verified).toMatchObject({ events: 40 });
    // Cached data of the source is not mistaken for that of the target.
    expect(await here.checkpoints.upTo(before!.position)).not.toEqual(before);
  });

  test('without the checkpoint of the migration contradicts the copied checkpoints, and is not built', async () => {
    const [from, to] = [open(), open()];
    const file = join(folder, `${randomUUID()}.json`);
    await makeLedgerKeys(file);
    const keys = openLedgerKeys(file);
    await fees(from, 0, 5);
    await built(from, keys);
    await migrate(from, to, never);
    expect((await built(to, keys)).fault).toMatch(/do not match the checkpoint/);
  });
});
