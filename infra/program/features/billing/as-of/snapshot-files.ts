import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Position } from '../../../../../contracts/position';
import type { Mark } from '../../../../../projections/as-of/timeline';
import { CannotOpen } from '../../../../config/cannot-open';
import { claimDataDir } from '../../../../engines/data-dir-claim';
import { readJson } from '../../../../../contracts/json/read-json';

/** A folder of snapshots that no other process uses. */
export interface SnapshotDir {
  readonly folder: string;
  release(): void;
}

/** More processes than these do not share a data folder. */
const MAX_DIRS = 64;

/** Claims the first free folder of `as-of/`: every process and tool has one of its own. @throws CannotOpen */
export function claimSnapshotDir(dataDir: string): SnapshotDir {
  for (let n = 1; ; n++) {
    const folder = join(dataDir, 'as-of', String(n));
    try {
      return { folder, release: claimDataDir(folder) };
    } catch (error) {
      if (n === MAX_DIRS || !(error instanceof CannotOpen)) throw error;
    }
  }
}

/** Contents of a snapshot, in a file beside it that is written last: a snapshot without a manifest is incomplete. */
export interface Manifest {
  readonly mark: Mark;
  /** The projections that built it, with their versions. */
  readonly projections: string;
}

const manifestSchema = z.object({
  mark: z.object({
    position: z.int(),
    event: z.object({ stream: z.string(), revision: z.int(), id: z.string() }).nullable(),
    latest: z.string(),
  }),
  projections: z.string(),
});

/** Null when it is missing or invalid. */
async function readManifest(path: SnapshotPath): Promise<Manifest | null> {
  try {
    return manifestSchema.parse(readJson(await readFile(`${path}.json`, 'utf8')));
  } catch {
    return null;
  }
}

export async function writeManifest(path: SnapshotPath, manifest: Manifest): Promise<void> {
  await writeFileAtomic(`${path}.json`, JSON.stringify(manifest));
}

/** The names of a snapshot's files begin with this path: documents, SQLite's files beside them, and the manifest. */
export type SnapshotPath = string;

export function documentsOf(path: SnapshotPath): string {
  return `${path}.sqlite`;
}

const DOCUMENTS = /^(.+)\.sqlite$/;

/** Never used before: SQLite may keep files open for a while after they are removed. */
export function newPath(folder: string, position: Position): SnapshotPath {
  return join(folder, `${position}-${randomBytes(6).toString('hex')}`);
}

export interface FoundSnapshot {
  readonly path: SnapshotPath;
  readonly manifest: Manifest;
  readonly bytes: number;
  /** In milliseconds. */
  readonly builtAt: number;
}

/** The usable snapshots of a folder. Others are removed: incomplete ones, and those of other projections or versions. */
export async function findSnapshots(folder: string, projections: string): Promise<FoundSnapshot[]> {
  const found: FoundSnapshot[] = [];
  for (const name of await readdir(folder)) {
    const path = DOCUMENTS.exec(name)?.[1];
    if (path === undefined) continue;
    const snapshot = await inspect(join(folder, path));
    if (snapshot?.manifest.projections === projections) found.push(snapshot);
    else await remove(join(folder, path));
  }
  return found;
}

async function inspect(path: SnapshotPath): Promise<FoundSnapshot | null> {
  const manifest = await readManifest(path);
  if (!manifest) return null;
  const { size, mtimeMs } = await stat(documentsOf(path));
  return { path, manifest, bytes: size, builtAt: mtimeMs };
}

/** Copies a snapshot that nobody writes to, without copying bytes where the file system supports that. */
export async function copy(from: SnapshotPath, to: SnapshotPath): Promise<void> {
  for (const file of SQLITE_FILES) {
    const { size } = await stat(from + file).catch(() => ({ size: 0 }));
    if (size > 0) await copyFile(from + file, to + file, constants.COPYFILE_FICLONE);
  }
}

/** The manifest first: from then on the snapshot counts as incomplete. */
export async function remove(path: SnapshotPath): Promise<void> {
  for (const file of ['.json', '.sqlite-wal', '.sqlite-shm', '.sqlite'])
    await rm(path + file, { force: true });
}

const SQLITE_FILES = ['.sqlite', '.sqlite-wal'];
