import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedEngines, type Engines } from '../../infra/engines';
import { TargetNotEmpty } from '../../infra/migrate/copying';
import { migrate, type MigrationOptions } from '../../infra/migrate/migrate';
import { TOPICS } from '../../infra/topics';
import { cursorWrite, frontierFence, loadCursor, TAIL_COLLECTIONS } from '../../indexers/ton/state';

const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
let opened: Engines[] = [];
afterEach(async () => {
  await Promise.all(opened.map(engines => engines.close()));
  opened = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(): Engines {
  const engines = openEmbeddedEngines({ DATA_DIR: join(folder, randomUUID()) });
  opened.push(engines);
  return engines;
}

const TOPIC = TOPICS[0]!.name;
const never: MigrationOptions = { signal: new AbortController().signal, onProgress: () => undefined };

/** 30 streams whose events come in turn, some in appends of two, and messages of 20 keys. */
async function fill({ store, log }: Engines): Promise<void> {
  for (let round = 0; round < 10; round++)
    for (let stream = 0; stream < 30; stream++) {
      const events = Array.from({ length: 1 + (stream % 2) }, () => ({
        id: randomUUID(),
        type: 'Noted',
        data: { round, stream },
        metadata: { actor: 'somebody' },
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

test('everything arrives, equal and in order', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await from.documents.declare(TAIL_COLLECTIONS);
  const cursor = { seqno: 7, rootHash: 'root', shards: [] };
  await from.documents.commit({
    writes: [cursorWrite('mainnet', cursor, 9)],
    checkpoint: frontierFence('mainnet', null, cursor),
  });

  const report = await migrate(from, to, never);

  expect(report.equal).toBe(true);
  expect(report.compared.find(({ name }) => name === 'events')).toMatchObject({
    from: { count: 450 },
    to: { count: 450 },
  });
  expect(report.compared.find(({ name }) => name === TOPIC)?.to.count).toBe(500);
  expect(await to.log.ends(TOPIC)).toEqual(await from.log.ends(TOPIC));
  expect(await loadCursor(to.documents, 'mainnet')).toMatchObject({ seqno: 7, tip: 9 });
  // An indexer that goes on there finds the fence where it left it.
  const next = { ...cursor, seqno: 8 };
  await to.documents.commit({
    writes: [cursorWrite('mainnet', next, 9)],
    checkpoint: frontierFence('mainnet', cursor, next),
  });
});

test('cut off anywhere it goes on and copies nothing twice', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  let cuts = 0;
  for (let steps = 1; ; steps += 40) {
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

test('messages that were published before they were noted are not published again', async () => {
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

test('what is not the same is reported', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await migrate(from, to, never);
  await to.store.append('note-0', 'any', [{ id: randomUUID(), type: 'Noted', data: {} }]);
  const report = await migrate(from, to, never);
  expect(report.equal).toBe(false);
  expect(report.compared.filter(({ equal }) => !equal).map(({ name }) => name)).toEqual(['events']);
});

test('a target that is in use is refused, and nothing is written there', async () => {
  const [from, to] = [open(), open()];
  await fill(from);
  await to.store.append('other-1', 'no_stream', [{ id: randomUUID(), type: 'Noted', data: {} }]);
  await expect(migrate(from, to, never)).rejects.toThrow(TargetNotEmpty);
  const head = await to.store.head();
  await expect(migrate(from, to, never)).rejects.toThrow(TargetNotEmpty);
  expect(await to.store.head()).toBe(head);
});
