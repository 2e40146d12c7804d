import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { commitmentIn, commitmentOf, type EncryptedText } from '../../contracts/text/personal-text';
import { compiledPath } from '../../infra/engines/compiled-path';
import type { Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { temporaryFolder } from '../../test/temporary-folder';
import { DamagedText } from './personal-text';
import { ERASURE_KEYS } from './key-documents';
import { openSubjectKeys, WrongMasterKey } from './keys';
import { createPersonalTexts } from './personal-texts';
import { encryptText, openText } from './encrypted-text';
import { runs } from '../../test/random';
import '../../test/starts-programs';

const folder = temporaryFolder();

const masterKey = randomBytes(32);
const opened: Documents[] = [];
let path: string;
beforeEach(() => (path = join(folder, `${randomBytes(6).toString('hex')}.sqlite`)));
afterEach(async () => {
  for (const vault of opened.splice(0)) await vault.close();
});

/** Another program with the same keys. */
async function program() {
  const vault = openSqliteDocuments({ path, secureDelete: true });
  opened.push(vault);
  const keys = await openSubjectKeys(vault, masterKey);
  return { vault, keys, texts: createPersonalTexts(keys) };
}

describe('a personal text', () => {
  it('is unreadable when encrypted, and decrypted to what it was', async () => {
    const { texts } = await program();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 1 }),
        async (text, subject) => {
          const encrypted = await texts.encrypt(`s-${subject}`, text);
          expect(encrypted).toEqual({
            subject: `s-${subject}`,
            ciphertext: expect.stringMatching(/^v2\.[\w-]+\.[\w-]+\.[\w-]{43}$/),
          });
          expect(await texts.decrypt(encrypted)).toBe(Buffer.from(text).toString());
        },
      ),
      runs(20),
    );
    const [one, other] = [await texts.encrypt('ann', 'same'), await texts.encrypt('ann', 'same')];
    expect(one.ciphertext).not.toBe(other.ciphertext);
  });

  it('can be decrypted by another program, and after a restart', async () => {
    const encrypted = await (await program()).texts.encrypt('ann', 'wrong month');
    expect(await (await program()).texts.decrypt(encrypted)).toBe('wrong month');
  });

  it('that was changed, or moved to another subject, is not decrypted', async () => {
    const { texts } = await program();
    const encrypted = await texts.encrypt('ann', 'wrong month');
    await texts.encrypt('bob', 'else');
    const last = encrypted.ciphertext.at(-3)!;
    const changed = `${encrypted.ciphertext.slice(0, -3)}${last === 'A' ? 'B' : 'A'}${encrypted.ciphertext.slice(-2)}`;
    await expect(texts.decrypt({ ...encrypted, ciphertext: changed })).rejects.toThrow(DamagedText);
    await expect(texts.decrypt({ ...encrypted, ciphertext: 'v9.x.y' })).rejects.toThrow(DamagedText);
    expect(await texts.decrypt({ ...encrypted, subject: 'bob' })).toBeNull();
  });

  it('is readable in the format of version 1', () => {
    const key = { id: 'a-key', key: Buffer.alloc(32, 7) };
    const frozen: EncryptedText = {
      subject: 'ann',
      ciphertext: 'v1.a-key.CQkJCQkJCQkJCQkJUPfr-tnQrA7OFqMCxq3RHGhz_Jan8S349jLb00zMKhxQpFW8',
    };
    expect(openText(key, frozen)).toEqual({ text: 'wrong month: Grüße', commitment: null, opening: null });
    expect(() => openText(key, { ...frozen, ciphertext: `${frozen.ciphertext}.${'A'.repeat(43)}` })).toThrow(
      DamagedText,
    );
    expect(openText(key, encryptText(key, 'ann', 'wrong month: Grüße'))?.text).toBe('wrong month: Grüße');
  });

  it('is proven by its commitment to those who have its opening, which is its own', async () => {
    const { texts } = await program();
    const encrypted = await Promise.all(['same', 'same', 'else'].map(text => texts.encrypt('ann', text)));
    const opened = (await texts.openAll(encrypted)).map(each => each!);
    expect(opened.map(({ text }) => text)).toEqual(['same', 'same', 'else']);
    expect(new Set(opened.flatMap(({ commitment, opening }) => [commitment, opening])).size).toBe(6);
    for (const [n, { text, commitment, opening }] of opened.entries()) {
      expect(commitmentIn(encrypted[n]!)).toBe(commitment);
      expect(commitmentOf(Buffer.from(opening!, 'base64url'), text)).toBe(commitment);
    }
    const [one, , other] = opened;
    expect(commitmentOf(Buffer.from(one!.opening!, 'base64url'), other!.text)).not.toBe(other!.commitment);
    // Under another commitment, or without one.
    const { subject, ciphertext } = encrypted[0]!;
    for (const changed of [`${ciphertext.slice(0, -43)}${other!.commitment}`, ciphertext.slice(0, -44)])
      await expect(texts.decrypt({ subject, ciphertext: changed })).rejects.toThrow(DamagedText);
  });
});

it('where there are no texts, no key is read', async () => {
  const { vault, texts } = await program();
  const reads = jest.spyOn(vault, 'getMany');
  expect(await texts.decryptAll([])).toEqual([]);
  expect(reads).not.toHaveBeenCalled();
});

describe('the key of a subject', () => {
  it('is readable as it was first stored', async () => {
    const vault = openSqliteDocuments({ path, secureDelete: true });
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

  it('is created once, however many programs need it at the same time', async () => {
    const programs = await Promise.all(Array.from({ length: 4 }, program));
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) => programs[i % 4]!.texts.encrypt('ann', `text ${i}`)),
    );
    expect(new Set(made.map(({ ciphertext }) => ciphertext.split('.')[1])).size).toBe(1);
    expect(await programs[0]!.texts.decryptAll(made)).toEqual(made.map((_, i) => `text ${i}`));
  });

  it('is stored only encrypted with the master key', async () => {
    const { keys, vault } = await program();
    const { key } = await keys.ofSubject('ann');
    await vault.close();
    const bytes = readFileSync(path);
    for (const form of ['base64', 'base64url', 'hex'] as const)
      expect(bytes.includes(key.toString(form))).toBe(false);
    expect(bytes.includes(key)).toBe(false);
  });

  it('survives a crash of the program that created it and had not used it', async () => {
    const script = compiledPath('test/crash/encrypt-then-crash.ts');
    const child = spawn(process.execPath, [script, path, masterKey.toString('base64'), 'ann']);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    const lost = JSON.parse(output) as EncryptedText;

    const { texts } = await program();
    const again = await texts.encrypt('ann', 'another text');
    expect(await texts.decryptAll([lost, again])).toEqual(['the last text', 'another text']);
    expect(again.ciphertext.split('.')[1]).toBe(lost.ciphertext.split('.')[1]);
  });

  it('encrypted with another master key is refused at the start', async () => {
    const { vault } = await program();
    await expect(openSubjectKeys(vault, randomBytes(32))).rejects.toThrow(WrongMasterKey);
  });
});

describe('destroying a key', () => {
  it('makes the texts of its subject unreadable in every program at once, and no others', async () => {
    const [here, there] = [await program(), await program()];
    const texts = [await here.texts.encrypt('ann', 'a'), await here.texts.encrypt('bob', 'b')];
    expect(await there.texts.decryptAll(texts)).toEqual(['a', 'b']);
    expect(await here.keys.destroy('ann')).toBe(1);
    expect(await there.texts.decryptAll(texts)).toEqual([null, 'b']);
  });

  it('overwrites the key in the database file and its write-ahead log', async () => {
    const { keys, vault } = await program();
    // Enough to split pages, so that rows were moved.
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

  it('is idempotent, also without a key; later texts have a new key', async () => {
    const { keys, texts } = await program();
    const before = await texts.encrypt('ann', 'before');
    expect([await keys.destroy('ann'), await keys.destroy('ann'), await keys.destroy('eve')]).toEqual([
      1, 1, 0,
    ]);
    const after = await texts.encrypt('ann', 'after');
    expect(await texts.decryptAll([before, after])).toEqual([null, 'after']);
    expect(await keys.destroy('ann')).toBe(2);
    expect(await texts.decryptAll([before, after])).toEqual([null, null]);
  });

  it('works on keys that were restored without their checkpoints', async () => {
    const { keys, texts, vault } = await program();
    const before = await texts.encrypt('ann', 'before');
    const restored = (await vault.find(ERASURE_KEYS.name, { limit: 10 })).documents;
    path = join(folder, 'restored.sqlite');
    const there = await program();
    for (const document of restored)
      await there.vault.commit({ writes: [{ collection: ERASURE_KEYS.name, id: document._id, document }] });
    expect(await there.texts.decrypt(before)).toBe('before');
    expect(await there.keys.destroy('ann')).toBe(1);
    const after = await there.texts.encrypt('ann', 'after');
    expect(await there.texts.decryptAll([before, after])).toEqual([null, 'after']);
    expect(await there.keys.destroy('ann')).toBe(2);
    expect(await keys.destroy('ann')).toBe(1);
  });

  it('while others encrypt leaves each text readable or erased, and never restores a key', async () => {
    const [here, there] = [await program(), await program()];
    const encrypted = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        if (i % 5 === 4) await there.keys.destroy('ann');
        return here.texts.encrypt('ann', `text ${i}`);
      }),
    );
    const before = await there.texts.decryptAll(encrypted);
    before.forEach((text, i) => expect([null, `text ${i}`]).toContain(text));
    await here.keys.destroy('ann');
    expect(await there.texts.decryptAll(encrypted)).toEqual(encrypted.map(() => null));
  });
});
