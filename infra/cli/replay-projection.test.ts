import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECT_SESSION_CATEGORY } from '../../contracts/events/connect-session';
import { storageEntryStream } from '../../contracts/events/storage-entry';
import { WALLET_REQUEST_CATEGORY } from '../../contracts/events/wallet-request';
import type { JsonObject } from '../../contracts/json/json';
import { commandLine } from '../../test/command-line';
import { CONNECT } from '../../test/events/samples/connect';
import { STORAGE_ENTRY } from '../../test/events/samples/storage-entry';
import { WALLET_REQUEST } from '../../test/events/samples/wallet-request';
import { openEventStore } from '../engines/engines';
import { replayCommand } from './replay';

const { run, config, DATA_DIR } = commandLine(replayCommand);
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { collection: string; document: Record<string, unknown> });
const replay = async (...words: string[]) => lines(await run('replay', '--projection', ...words));

const positions: number[] = [];
beforeAll(async () => {
  const store = await openEventStore(config());
  const record = async (stream: string, revision: number | 'no_stream', type: string, data: JsonObject) => {
    const event = { id: randomUUID(), type, data, metadata: { v: 1 } };
    positions.push((await store.append(stream, revision, [event])).position);
  };
  const storage = storageEntryStream(STORAGE_ENTRY.key);
  await record(storage, 'no_stream', 'StorageEntryWritten', STORAGE_ENTRY);
  await record(
    `${CONNECT_SESSION_CATEGORY}-1`,
    'no_stream',
    'ConnectSessionOpened',
    CONNECT.ConnectSessionOpened,
  );
  await record(`${WALLET_REQUEST_CATEGORY}-1`, 'no_stream', 'WalletRequestCreated', WALLET_REQUEST.created);
  await record(storage, 0, 'StorageEntryWritten', { ...STORAGE_ENTRY, seq: 2, value: 'bmV3' });
  await store.close();
});

it('shows cloud storage as it is, and as it was', async () => {
  const entry = (seq: number, value: string) => [
    { collection: 'storage_entries', document: expect.objectContaining({ seq, value }) as unknown },
  ];
  expect(await replay('storage-entries')).toEqual(entry(2, 'bmV3'));
  expect(await replay('storage-entries', '--until-position', String(positions[2]))).toEqual(
    entry(1, STORAGE_ENTRY.value),
  );
  expect(await run('replay', '--projection', 'storage-entries', '--as-of', '2000-01-01T00:00:00Z')).toBe('');
});

it('shows connection sessions and wallet requests', async () => {
  const sessions = await replay('connections');
  expect(sessions).toMatchObject([
    { collection: 'connect_sessions', document: { name: 'An app', granted: false } },
  ]);
  const requests = await replay('wallet-requests');
  expect(requests.map(({ document }) => document['role']).sort()).toEqual(['confirmant', 'requestor']);
});

it('writes the same bytes each time, and what they are', async () => {
  const file = join(DATA_DIR, 'storage.ndjson');
  const first = await run('--json', 'replay', '--projection', 'storage-entries', '--output', file);
  const bytes = readFileSync(file);
  expect(JSON.parse(first)).toEqual({
    output: file,
    position: positions[3],
    rows: 1,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(await run('--json', 'replay', '--projection', 'storage-entries', '--output', file)).toBe(first);
});

it.each([
  [['--projection', 'nothing'], /is invalid/],
  [['--projection', 'storage-entries', '--format', 'csv'], /cannot be used with/],
  [['--projection', 'storage-entries', '--until-position', '99'], /the last event recorded has position 3/],
])('refuses %j', async (words, why) => {
  await expect(run('replay', ...words)).rejects.toThrow(why);
});
