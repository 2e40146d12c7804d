import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { runs } from '../../test/random';
import { temporaryFolder } from '../../test/temporary-folder';
import { UnusableSecretFile } from '../signing/secret-file';
import { localKey } from './local-keys';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'keys', 'instance.json');
});

const failure = async (): Promise<Error> => {
  const error = await localKey(folder, 'instance').then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnusableSecretFile);
  return error as Error;
};

describe('the key of a local issuer', () => {
  it('is created once, for its owner only, also when programs start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => localKey(folder, 'instance')));
    expect(new Set(keys.map(({ d }) => d)).size).toBe(1);
    expect(readdirSync(join(folder, 'keys'))).toEqual(['instance.json']);
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'keys')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
  });

  it('that was cut anywhere is named with its file and what to do, and nothing of it is shown', async () => {
    const { d } = await localKey(folder, 'instance');
    const whole = readFileSync(file, 'utf8');
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(file, whole.slice(0, length));
      const { message } = await failure();
      expect(message).toMatch(
        /^\S+keys\/instance\.json: the file is (empty|damaged or was not written to its end)/,
      );
      expect(message).toContain('Restore it from a backup, or remove it');
      expect(message).not.toContain(d!.slice(0, 4));
      expect(message).not.toContain('"');
    }
  });

  it('with any other byte is refused', async () => {
    await localKey(folder, 'instance');
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= change;
        writeFileSync(file, damaged);
        await failure();
      }),
      runs(200),
    );
  });

  it('whose parts are of two keys is refused: nobody could verify what it signs', async () => {
    const mine = await localKey(folder, 'instance');
    const { d } = await localKey(folder, 'platform');
    writeFileSync(file, JSON.stringify({ ...mine, d }));
    expect((await failure()).message).toContain('instance.json: not the key pair of an issuer');
  });

  it('that cannot be read is named', async () => {
    mkdirSync(file, { recursive: true });
    expect((await failure()).message).toMatch(/keys\/instance\.json: the file cannot be read \(EISDIR\)/);
  });
});
