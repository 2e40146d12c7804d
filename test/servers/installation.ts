import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const packageOf = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : packageOf(dirname(folder));

/** The root of this repository: the same whether the caller runs from source or compiled. */
const root = packageOf(__dirname);

/** A file beside the sources of the test servers. */
export function asset(...path: string[]): string {
  return join(root, 'test', 'servers', ...path);
}

/** The cache of downloaded programs: `SERVERS_CACHE`, or a folder that git ignores. */
export function cached(name: string): string {
  return join(process.env['SERVERS_CACHE'] ?? join(root, 'node_modules', '.cache', 'tidemark'), name);
}

/**
 * A folder of the cache, which is filled the first time.
 * @param fill may be called by several processes at once, each with another folder: what stands in it must not name it
 */
export async function cachedFolder(
  name: string,
  fill: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = cached(name);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  try {
    await fill(half);
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

export const repository = root;
