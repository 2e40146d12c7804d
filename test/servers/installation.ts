import { existsSync } from 'node:fs';
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

export const repository = root;
