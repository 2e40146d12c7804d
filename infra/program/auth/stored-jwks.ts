import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { FetchedKeys, StoredKeys } from '../../../services/auth/fetched-keys';
import { readJson } from '../../../contracts/json/read-json';

const storedKeys = z.object({
  url: z.string(),
  uat: z.number(),
  jwks: z.object({ keys: z.array(z.looseObject({})) }),
});

/** The keys of an issuer that were fetched last, in a file: a start while the issuer is down can verify its tokens. */
export function jwksFile(file: string, url: string): StoredKeys {
  return {
    async read() {
      const { url: from, ...keys } = storedKeys.parse(readJson(await readFile(file, 'utf8')));
      return from === url ? (keys as FetchedKeys) : null;
    },
    async write({ uat, jwks }) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const unfinished = `${file}.${process.pid}.tmp`;
      await writeFile(unfinished, JSON.stringify({ url, uat, jwks }), { mode: 0o600, flush: true });
      await rename(unfinished, file);
    },
  };
}
