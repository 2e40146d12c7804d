import { open, readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import type { Mark } from '../../../projections/as-of/timeline';

/** What a snapshot holds, in a file of its own beside it. It is written last: a snapshot without one is half built. */
export interface Label {
  readonly mark: Mark;
  /** The projections that made it, each with its version. */
  readonly models: string;
}

const schema = z.object({
  mark: z.object({
    position: z.int(),
    event: z.object({ stream: z.string(), revision: z.int(), id: z.string() }).nullable(),
    latest: z.string(),
  }),
  models: z.string(),
});

/** Null when there is none, or none that can be read. */
export async function readLabel(path: string): Promise<Label | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

/** All of it is on the disk before it bears its name. */
export async function writeLabel(path: string, label: Label): Promise<void> {
  const unfinished = `${path}.tmp`;
  const file = await open(unfinished, 'w');
  try {
    await file.writeFile(JSON.stringify(label));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
