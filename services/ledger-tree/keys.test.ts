import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerCheckpointStream } from '../../contracts/events/ledger-checkpoint';
import { BEGINNING } from '../../contracts/position';
import { LedgerTree } from '../../contracts/ledger-tree/tree-head';
import { verifySignature } from '../../contracts/ledger-tree/keys';
import { sha256 } from '../../contracts/encoding/sha256';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { temporaryFolder } from '../../test/temporary-folder';
import { UnusableSecretFile } from '../signing/secret-file';
import { createCheckpoints } from './checkpoints';
import { makeLedgerKeys, openLedgerKeys, rotateLedgerKeys } from './keys';

let folder: string;
let keysFile: string;

beforeEach(async () => {
  folder = temporaryFolder();
  keysFile = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(keysFile);
});

function messageOfFailure(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(UnusableSecretFile);
    return (error as Error).message;
  }
  throw new Error('it did not fail');
}

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

  it('that do not exist are named, with the command that creates them', () => {
    const file = join(folder, 'none.json');
    expect(() => openLedgerKeys(file).signer()).toThrow(
      `${file}: there is no such file. \`tidemark keys rotate\``,
    );
  });

  it('in a file that was cut anywhere are named with their file, and nothing of it is shown', () => {
    const whole = readFileSync(keysFile, 'utf8').trimEnd();
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(keysFile, whole.slice(0, length));
      const message = messageOfFailure(() => openLedgerKeys(keysFile).signer());
      expect(message).toMatch(
        /^\S+ledger\.json: the file is (empty|damaged or was not written to its end).*Restore it/,
      );
      expect(message).not.toContain('"');
    }
  });

  it('whose parts do not belong together are refused: nobody could verify what they sign', async () => {
    const keyIn = (text: string) => (JSON.parse(text) as { keys: [{ x: string; d: string }] }).keys[0];
    const [mine, other] = [await makeLedgerKeys(keysFile), await makeLedgerKeys(join(folder, 'other'))].map(
      keyIn,
    );
    writeFileSync(keysFile, JSON.stringify({ keys: [{ ...mine!, d: other!.d }] }));
    expect(messageOfFailure(() => openLedgerKeys(keysFile).signer())).toContain('not the keys of a ledger');
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
