import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Sealed } from '../../contracts/personal-text';
import { compiled } from '../../infra/engines/compiled';
import type { Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { DamagedText } from '../personal-text';
import { ERASURE_KEYS, openSubjectKeys, WrongMasterKey } from './keys';
import { createPersonalTexts } from './personal-texts';
import { openWith, sealWith } from './sealed-form';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-erasure-'));
afterAll(() => rmSync(folder, { recursive: true }));

const masterKey = randomBytes(32);
const opened: Documents[] = [];
let path: string;
beforeEach(() => (path = join(folder, `${randomBytes(6).toString('hex')}.sqlite`)));
afterEach(async () => {
  for (const vault of opened.splice(0)) await vault.close();
});

/** A program of its own on the vault, as far as the vault can tell. */
async function program() {
  const vault = openSqliteDocuments({ path, overwriting: true });
  opened.push(vault);
  const keys = await openSubjectKeys(vault, masterKey);
  return { vault, keys, texts: createPersonalTexts(keys) };
}

describe('a personal text', () => {
  it('is sealed so that nobody can read it off, and opened as it was', async () => {
    const { texts } = await program();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 1 }),
        async (text, subject) => {
          const sealed = await texts.seal(`s-${subject}`, text);
          expect(sealed).toEqual({
            subject: `s-${subject}`,
            sealed: expect.stringMatching(/^v1\.[\w-]+\.[\w-]+$/),
          });
          expect(await texts.open(sealed)).toBe(Buffer.from(text).toString());
        },
      ),
      { numRuns: 40 },
    );
    const [one, other] = [await texts.seal('ann', 'same'), await texts.seal('ann', 'same')];
    expect(one.sealed).not.toBe(other.sealed);
  });

  it('can be opened by another program, and after a restart', async () => {
    const sealed = await (await program()).texts.seal('ann', 'wrong month');
    expect(await (await program()).texts.open(sealed)).toBe('wrong month');
  });

  it('written before texts were sealed is answered as it is', async () => {
    const { texts } = await program();
    const sealed = await texts.seal('ann', 'b');
    expect(await texts.openAll([{ plain: 'a' }, sealed, { plain: 'c' }])).toEqual(['a', 'b', 'c']);
  });

  it('that was changed, or moved to another subject, is not opened', async () => {
    const { texts } = await program();
    const sealed = await texts.seal('ann', 'wrong month');
    await texts.seal('bob', 'else');
    const last = sealed.sealed.at(-3)!;
    const changed = `${sealed.sealed.slice(0, -3)}${last === 'A' ? 'B' : 'A'}${sealed.sealed.slice(-2)}`;
    await expect(texts.open({ ...sealed, sealed: changed })).rejects.toThrow(DamagedText);
    await expect(texts.open({ ...sealed, sealed: 'v9.x.y' })).rejects.toThrow(DamagedText);
    expect(await texts.open({ ...sealed, subject: 'bob' })).toBeNull();
  });

  it('is read for ever in the form of version 1', () => {
    const key = { id: 'a-key', key: Buffer.alloc(32, 7) };
    const frozen: Sealed = {
      subject: 'ann',
      sealed: 'v1.a-key.CQkJCQkJCQkJCQkJUPfr-tnQrA7OFqMCxq3RHGhz_Jan8S349jLb00zMKhxQpFW8',
    };
    expect(openWith(key, frozen)).toBe('wrong month: Grüße');
    expect(openWith(key, sealWith(key, 'ann', 'wrong month: Grüße'))).toBe('wrong month: Grüße');
  });
});

describe('the key of a subject', () => {
  it('is read for ever as it was first stored', async () => {
    const vault = openSqliteDocuments({ path, overwriting: true });
    opened.push(vault);
    const wrapped = 'CQkJCQkJCQkJCQkJwwggyck3AcZ4U01IqdqCEJ7Aef0zmDPhMF83TulQ+PpP1s+PnsR+560nLr9i/P1k';
    const document = { _id: 'ann', changes: 1, key: { id: 'a-key', wrapped } };
    await vault.declare([ERASURE_KEYS]);
    await vault.commit({
      writes: [{ collection: ERASURE_KEYS.name, id: 'ann', document }],
      checkpoint: { name: 'erasure/ann', value: { position: 1 } },
    });
    const keys = await openSubjectKeys(vault, Buffer.alloc(32, 1));
    expect(await keys.ofSubject('ann')).toEqual({ id: 'a-key', key: Buffer.alloc(32, 7) });
  });

  it('is one, however many programs need it for the first time at once', async () => {
    const programs = await Promise.all(Array.from({ length: 4 }, program));
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) => programs[i % 4]!.texts.seal('ann', `text ${i}`)),
    );
    expect(new Set(made.map(({ sealed }) => sealed.split('.')[1])).size).toBe(1);
    expect(await programs[0]!.texts.openAll(made)).toEqual(made.map((_, i) => `text ${i}`));
  });

  it('is in no file but under the master key', async () => {
    const { keys, vault } = await program();
    const { key } = await keys.ofSubject('ann');
    await vault.close();
    const bytes = readFileSync(path);
    for (const form of ['base64', 'base64url', 'hex'] as const)
      expect(bytes.includes(key.toString(form))).toBe(false);
    expect(bytes.includes(key)).toBe(false);
  });

  it('survives the death of a program that had made it and not yet used it', async () => {
    const script = compiled('test/crash/seal-and-die.ts');
    const child = spawn(process.execPath, [script, path, masterKey.toString('base64'), 'ann']);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    const lost = JSON.parse(said) as Sealed;

    const { texts } = await program();
    const again = await texts.seal('ann', 'said again');
    expect(await texts.openAll([lost, again])).toEqual(['said just before the end', 'said again']);
    expect(again.sealed.split('.')[1]).toBe(lost.sealed.split('.')[1]);
  });

  it('under another master key is refused at the start', async () => {
    const { vault } = await program();
    await expect(openSubjectKeys(vault, randomBytes(32))).rejects.toThrow(WrongMasterKey);
  });
});

describe('destroying a key', () => {
  it('makes all that was sealed with it unreadable in every program at once, and nothing else', async () => {
    const [here, there] = [await program(), await program()];
    const texts = [await here.texts.seal('ann', 'a'), await here.texts.seal('bob', 'b')];
    expect(await there.texts.openAll(texts)).toEqual(['a', 'b']);
    expect(await here.keys.destroy('ann')).toBe(1);
    expect(await there.texts.openAll(texts)).toEqual([null, 'b']);
  });

  it('leaves nothing of it in the file or its log', async () => {
    const { keys, vault } = await program();
    // Enough to split pages, so that rows have been moved about.
    for (let i = 0; i < 200; i++) await keys.ofSubject(`subject-${i}`);
    const doomed = await vault.get<{ _id: string; key: { wrapped: string } }>(
      ERASURE_KEYS.name,
      'subject-77',
    );
    const { wrapped } = doomed!.key;
    const pieces = Array.from({ length: 5 }, (_, i) => wrapped.slice(i * 16, i * 16 + 16));
    const left = () => {
      const bytes = Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]);
      return pieces.filter(piece => bytes.includes(piece));
    };
    expect(left()).toEqual(pieces);
    await keys.destroy('subject-77');
    expect(left()).toEqual([]);
  });

  it('again, or of nobody, changes nothing; what is sealed from then on has a key of its own', async () => {
    const { keys, texts } = await program();
    const before = await texts.seal('ann', 'before');
    expect([await keys.destroy('ann'), await keys.destroy('ann'), await keys.destroy('eve')]).toEqual([
      1, 1, 0,
    ]);
    const after = await texts.seal('ann', 'after');
    expect(await texts.openAll([before, after])).toEqual([null, 'after']);
    expect(await keys.destroy('ann')).toBe(2);
    expect(await texts.openAll([before, after])).toEqual([null, null]);
  });

  it('works on keys that were restored without their checkpoints', async () => {
    const { keys, texts, vault } = await program();
    const before = await texts.seal('ann', 'before');
    const restored = (await vault.find(ERASURE_KEYS.name, { limit: 10 })).documents;
    path = join(folder, 'restored.sqlite');
    const there = await program();
    for (const document of restored)
      await there.vault.commit({ writes: [{ collection: ERASURE_KEYS.name, id: document._id, document }] });
    expect(await there.texts.open(before)).toBe('before');
    expect(await there.keys.destroy('ann')).toBe(1);
    const after = await there.texts.seal('ann', 'after');
    expect(await there.texts.openAll([before, after])).toEqual([null, 'after']);
    expect(await there.keys.destroy('ann')).toBe(2);
    expect(await keys.destroy('ann')).toBe(1);
  });

  it('while others seal leaves each text readable or erased, and never a key that comes back', async () => {
    const [here, there] = [await program(), await program()];
    const sealed = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        if (i % 5 === 4) await there.keys.destroy('ann');
        return here.texts.seal('ann', `text ${i}`);
      }),
    );
    const before = await there.texts.openAll(sealed);
    before.forEach((text, i) => expect([null, `text ${i}`]).toContain(text));
    await here.keys.destroy('ann');
    expect(await there.texts.openAll(sealed)).toEqual(sealed.map(() => null));
  });
});
