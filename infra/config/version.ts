import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJson } from '../../contracts/json/read-json';

/** The version of the package, compiled or not. */
export function version(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return (readJson(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
