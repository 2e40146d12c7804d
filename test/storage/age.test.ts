import request from 'supertest';
import { storage } from '../../infra/program/features/storage';
import { STORAGE_HISTORY_RETENTION } from '../../services/storage/retention';
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
