import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEE_CATEGORY } from '../../contracts/events/fee';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { feesProjection } from '../../projections/billing/fees';
import type { EventProjection } from '../../projections/projection';
import { commandLine } from '../../test/command-line';
import { until } from '../../test/until';

import { openEmbeddedEngines } from '../engines/engines';
import { openDatabase } from '../engines/sqlite/database';
import { ledgerLines, verifyCommand } from './verify';
import { withProjections } from '../program/commands/with-engines';

const { DATA_DIR, config, run } = commandLine(verifyCommand);
const file = join(DATA_DIR, 'events.sqlite');
let sound: Buffer;

/** Changes one byte of the event whose data has the text. */
function damage(text: string, byte: number): void {
  const bytes = Buffer.from(sound);
  bytes[bytes.indexOf(text)] = byte;
  writeFileSync(file, bytes);
}

const verify = async (): Promise<[code: unknown, answer: unknown]> => {
  const answer: unknown = JSON.parse(await run('--json', 'verify'));
  const code = process.exitCode;
  process.exitCode = undefined;
  return [code, answer];
};

beforeAll(async () => {
  const engines = openEmbeddedEngines({ DATA_DIR });
  for (const [stream, text] of [
    [`${FEE_CATEGORY}-a`, 'first'],
    [`${FEE_CATEGORY}-b`, 'second'],
    ['watch-c', 'third'],
  ] as const)
    await engines.store.append(stream, 'no_stream', [
      { id: randomUUID(), type: 'Happened', data: { text }, metadata: { v: 1 } },
    ]);
  await engines.close();
  sound = readFileSync(file);
});

it('verifies sound databases', async () => {
  expect(await verify()).toEqual([undefined, expect.objectContaining({ outcome: 'verified', events: 2 })]);
});

it('says which events no checkpoint covers yet', async () => {
  expect(await run('verify')).toMatch(
    /^verified: 2 events, 0 of them in the ledger tree, 0 signed checkpoints\nno checkpoint yet\nnot signed yet: 2 events, which the next checkpoint covers\n/,
  );
  const latest = { size: 1, head: 'abc' } as Checkpoint;
  const report = { events: 2, inTree: 2, checkpoints: 1, latest };
  expect(ledgerLines(report)).toEqual([
    'verified: 2 events, 2 of them in the ledger tree, 1 signed checkpoint',
    'latest checkpoint: 1 event, head abc',
    'not signed yet: 1 event, which the next checkpoint covers',
  ]);
  expect(ledgerLines({ ...report, latest: { ...latest, size: 2 } })).toHaveLength(2);
});

it.each([
  ['a byte that is not UTF-8', 0xff],
  ['another letter', 'f'.charCodeAt(0)],
])('names the position of an event with %s, and ends with 2', async (_, byte) => {
  damage('second', byte);
  expect(await verify()).toEqual([2, expect.objectContaining({ outcome: 'altered', position: 1 })]);
});

it('names a file whose index misses a row, and ends with 2', async () => {
  writeFileSync(file, sound);

  const database = openDatabase(file);
  // In the index only: the table keeps the event.
  database.exec(`PRAGMA writable_schema=ON;
    UPDATE sqlite_master SET sql = replace(sql, '(category)', '(category) WHERE category < 0') WHERE name = 'events_by_category';
    PRAGMA writable_schema=RESET; REINDEX events_by_category; PRAGMA writable_schema=ON;
    UPDATE sqlite_master SET sql = replace(sql, ' WHERE category < 0', '') WHERE name = 'events_by_category'`);
  database.close();
  const [code, answer] = await verify();
  expect([code, answer]).toEqual([
    2,
    expect.objectContaining({ outcome: 'altered', message: expect.stringMatching(/events\.sqlite.*index/) }),
  ]);
});

it('names a projection that has passed over events, how many it lacks, and ends with 4', async () => {
  writeFileSync(file, sound);
  // A double that is given none of the events that the projection reads.
  const passing: EventProjection = { ...feesProjection, categories: ['other'] };
  await withProjections(config(), [passing], async ({ engines, engine }) => {
    const stopping = new AbortController();
    const running = engine.run(stopping.signal);
    await until(() => engines.documents.checkpoint('fees@1'));
    stopping.abort();
    await running;
  });

  const [code, answer] = await verify();
  expect([code, answer]).toEqual([
    4,
    expect.objectContaining({
      outcome: 'wrong_answer',
      projections: [expect.objectContaining({ projection: 'fees', after: -1, events: 0, missing: 2 })],
    }),
  ]);
  expect(await run('verify')).toContain('lacks 2; build it again with `tidemark rebuild fees`');
  process.exitCode = undefined;
});
