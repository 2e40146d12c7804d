import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { readJson } from '../../contracts/json/read-json';

const FILE = 'running.json';

const runningProgram = z.object({
  pid: z.int(),
  /** Where the API answers. */
  url: z.url(),
  /** Where operators see metrics and the reasons of health. */
  operatorsUrl: z.url(),
  startedAt: z.iso.datetime(),
});
/** The program that has claimed a data folder. */
export type RunningProgram = z.output<typeof runningProgram>;

/** Tells commands on the same folder where the program answers, whatever their settings say. @returns a function that removes it */
export function publishRunning(dataDir: string, program: RunningProgram): () => void {
  const file = join(dataDir, FILE);
  writeFileAtomic.sync(file, `${JSON.stringify(program)}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The program that runs on the folder, or one that was killed; null when there is none. */
export function findRunning(dataDir: string): RunningProgram | null {
  try {
    return runningProgram.parse(readJson(readFileSync(join(dataDir, FILE), 'utf8')));
  } catch {
    return null;
  }
}
