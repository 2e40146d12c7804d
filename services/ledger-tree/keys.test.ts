import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerCheckpointStream } from '../../contracts/events/ledger-checkpoint';
import { BEGINNING } from '../../contracts/position';
import { LedgerTree } from '../../contracts/ledger-tree/tree-head';
import { verifySignature } from '../../contracts/ledger-tree/keys';
import { sha256 } from '../../contracts/sha256';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createCheckpoints } from './checkpoints';
import { makeLedgerKeys, openLedgerKeys, rotateLedgerKeys, UnusableKeys } from './keys';

let folder: string;
let keysFile: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-keys-'));
  keysFile = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(keysFile);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('ledger keys', () => {
  it('are created once, readable by their owner only', async () => {
    const { keyId } = openLedgerKeys(keysFile).signer();
    await makeLedgerKeys(keysFile);
    expect(openLedgerKeys(keysFile).signer().keyId).toBe(keyId);
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
  });

  it('are rotated: a new one signs, in running programs too, and the old one stays published', async () => {
    const keys = openLedgerKeys(keysFile);
    const before = keys.signer();
    const fresh = await rotateLedgerKeys(keysFile);
    expect(keys.signer().keyId).toBe(fresh);
    expect(keys.published().keys.map(({ kid }) => kid)).toEqual([fresh, before.keyId]);
    expect(JSON.stringify(keys.published())).not.toContain('"d"');
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    const bytes = Buffer.from('statement');
    expect(verifySignature(bytes, before.sign(bytes), before.key)).toBe(true);
    expect(verifySignature(bytes, keys.signer().sign(bytes), before.key)).toBe(false);
  });

  it('that cannot be read are reported with their file', () => {
    expect(() => openLedgerKeys(join(folder, 'none.json')).signer()).toThrow(UnusableKeys);
  });

  it('sign no two checkpoints of the same size', async () => {
    const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
    const checkpoints = createCheckpoints({ store, instanceId: 'local', keys: openLedgerKeys(keysFile) });
    const history = new LedgerTree();
    history.append(sha256('x'), 0);
    const one = await checkpoints.sign(history.head(), '2026-11-01T00:00:00.000Z');
    expect(await checkpoints.sign(history.head(), '2026-11-02T00:00:00.000Z')).toEqual(one);
    const stored: unknown[] = [];
    for await (const event of store.readStream(ledgerCheckpointStream('local'))) stored.push(event.data);
    expect(stored).toEqual([one]);
    expect(await checkpoints.upTo(BEGINNING)).toBeNull();
    await store.close();
  });
});
