import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that the files of a folder have; 0 for a folder that is not there. Files of its folders are not counted. */
export function folderSize(folder: string): number {
  const size = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (!statSync(folder, { throwIfNoEntry: false })) return 0;
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { name }) => sum + size(join(folder, name)), 0);
}
