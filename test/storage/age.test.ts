import request from 'supertest';
import { storage } from '../../infra/program/features/storage';
import { STORAGE_HISTORY_RETENTION, STORAGE_VALUE_RETENTION } from '../../services/storage/retention';
import { applyIn } from '../apply-retention';
import { startTestProgram, type TestProgram } from '../program';
import { keysOf, readRequest, writeRequest } from './device';

const DAY_MS = 86_400_000;
/** The event store has the clock of the machine. */
let now = Date.now();
const soon = (): number => Math.floor(now / 1_000) + 60;

let program: TestProgram;
beforeAll(async () => {
  program = await startTestProgram({ features: [storage], clock: () => new Date(now) });
});
afterAll(() => program?.stop());

const keys = keysOf('a wallet');
const write = async (seq: number, value: string): Promise<unknown> =>
  (
    await request(program.app)
      .post('/storage/write')
      .send(writeRequest(keys, seq, Buffer.from(value), soon()))
  ).body;
const read = async (): Promise<unknown> =>
  (await request(program.app).post('/storage/read').send(readRequest(keys, soon()))).body;
const entry = (seq: number, value: string) => ({ seq, value: Buffer.from(value).toString('base64') });
const seqsLeft = async (): Promise<unknown[]> => {
  const seqs: unknown[] = [];
  for await (const page of program.deps.engines.store.readAll({ categories: ['storageEntry'] }))
    seqs.push(...page.map(({ data }) => data['seq']));
  return seqs;
};

it('a value that was replaced long ago is deleted, and the last one is as it was, also after a rebuild', async () => {
  await write(0, 'one');
  await write(1, 'two');
  await write(2, 'three');
  now += 29 * DAY_MS;
  // Another key is written, so that the last event of the store is none of these.
  await request(program.app)
    .post('/storage/write')
    .send(writeRequest(keysOf('another wallet'), 0, Buffer.from('one'), soon()));
  await applyIn(program, STORAGE_HISTORY_RETENTION);
  expect(await seqsLeft()).toEqual([1, 2, 3, 1]);

  now += 2 * DAY_MS;
  await applyIn(program, STORAGE_HISTORY_RETENTION);
  expect(await seqsLeft()).toEqual([3, 1]);
  expect(await read()).toEqual({ ok: true, value: entry(3, 'three') });
  const { comparison } = await program.deps.engine.rebuild('storage-entries', program.deps);
  expect(comparison).toMatchObject({ documents: 2, different: 0, inconclusive: 0 });
  // A device that was away for so long is told what is there now, and goes on from it.
  expect(await write(1, 'old')).toEqual({ ok: true, updated: false, current: entry(3, 'three') });
  expect(await write(3, 'four')).toEqual({ ok: true, updated: true, current: entry(4, 'four') });
  expect(await read()).toEqual({ ok: true, value: entry(4, 'four') });
});

it('the last value goes where the operator has set an age: a device that was away is told so, and writes it again', async () => {
  const kept = await startTestProgram({ features: [storage], clock: () => new Date(now) });
  const limited = await startTestProgram({
    features: [storage],
    clock: () => new Date(now),
    settings: { STORAGE_VALUE_DAYS: '700' },
  });
  try {
    const phone = keysOf('a phone');
    const sent = async (to: TestProgram, seq: number, value: string): Promise<unknown> =>
      (
        await request(to.app)
          .post('/storage/write')
          .send(writeRequest(phone, seq, Buffer.from(value), soon()))
      ).body;
    for (const each of [kept, limited]) await sent(each, 0, 'one');
    now += 701 * DAY_MS;
    for (const each of [kept, limited])
      await request(each.app)
        .post('/storage/write')
        .send(writeRequest(keysOf('another wallet'), 0, Buffer.from('one'), soon()));
    await applyIn(limited, STORAGE_HISTORY_RETENTION);
    await applyIn(limited, STORAGE_VALUE_RETENTION);
    await limited.deps.engine.views.waitForPosition(
      'storage_entries',
      await limited.deps.engines.store.head(),
      5_000,
    );
    const seen = async (from: TestProgram): Promise<unknown> =>
      (await request(from.app).post('/storage/read').send(readRequest(phone, soon()))).body;
    expect(await seen(kept)).toEqual({ ok: true, value: entry(1, 'one') });
    expect(await seen(limited)).toEqual({ ok: true, value: { seq: 0, value: null } });
    expect(await sent(limited, 1, 'two')).toEqual({
      ok: true,
      updated: false,
      current: { seq: 0, value: null },
    });
    expect(await sent(limited, 0, 'two')).toEqual({ ok: true, updated: true, current: entry(1, 'two') });
    expect(await seen(limited)).toEqual({ ok: true, value: entry(1, 'two') });
  } finally {
    await kept.stop();
    await limited.stop();
  }
});
