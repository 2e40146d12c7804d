import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Position } from '../../../contracts/position';
import { readLabel, type Label } from './label';

/** The files of one snapshot begin with this path: documents, what SQLite keeps beside them, and the label. */
export type SnapshotPath = string;

export function documentsOf(path: SnapshotPath): string {
  return `${path}.sqlite`;
}
export function labelOf(path: SnapshotPath): string {
  return `${path}.json`;
}

const DOCUMENTS = /^(.+)\.sqlite$/;

/** A name that no snapshot had before: SQLite may keep files open for a while after they are removed. */
export function newPath(folder: string, position: Position): SnapshotPath {
  return join(folder, `${position}-${randomBytes(6).toString('hex')}`);
}

export interface Found {
  readonly path: SnapshotPath;
  readonly label: Label;
  readonly bytes: number;
  /** When it was built, in milliseconds. */
  readonly builtAt: number;
}

/** The snapshots in a folder that are of use; all others are removed: half-built ones, and those of other projections. */
export async function tidyUp(folder: string, models: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of await readdir(folder)) {
    const path = DOCUMENTS.exec(name)?.[1];
    if (path === undefined) continue;
    const snapshot = await look(join(folder, path));
    if (snapshot?.label.models === models) found.push(snapshot);
    else await remove(join(folder, path));
  }
  return found;
}

async function look(path: SnapshotPath): Promise<Found | null> {
  const label = await readLabel(labelOf(path));
  if (!label) return null;
  const { size, mtimeMs } = await stat(documentsOf(path));
  return { path, label, bytes: size, builtAt: mtimeMs };
}

/** Of a snapshot that nobody writes to; where the file system can, the two share their bytes. */
export async function copy(from: SnapshotPath, to: SnapshotPath): Promise<void> {
  for (const file of SQLITE_FILES) {
    const { size } = await stat(from + file).catch(() => ({ size: 0 }));
    if (size > 0) await copyFile(from + file, to + file, constants.COPYFILE_FICLONE);
  }
}

/** The label first: from then on what is left is a half-built one. */
export async function remove(path: SnapshotPath): Promise<void> {
  for (const file of ['.json', '.json.tmp', '.sqlite-wal', '.sqlite-shm', '.sqlite'])
    await rm(path + file, { force: true });
}

const SQLITE_FILES = ['.sqlite', '.sqlite-wal'];
