import { appendFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, sep } from 'node:path';
import type { Figure } from './figure';
import type { Size } from './row';

export interface Run {
  readonly scale: Size;
  /** Load of the machine (one minute) when the run began: figures of a busy machine are not reliable. */
  readonly load: number;
  readonly seconds: number;
  /** Name and version of the servers, if any. */
  readonly servers?: readonly string[];
  readonly rows: Readonly<Record<string, readonly Figure[]>>;
}

// The program runs from dist/, the history belongs to the source.
const FILE = join(__dirname.replace(`${sep}dist${sep}`, sep), 'history.ndjson');

const machine = () => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});

/** Appends a run to the history as one line of JSON, @returns the path of the file */
export function appendRun(run: Run): string {
  const entry = {
    date: new Date().toISOString(),
    machine: machine(),
    ...run,
  };
  appendFileSync(FILE, `${JSON.stringify(entry)}\n`);
  return FILE;
}

export function currentLoad(): number {
  return Number(loadavg()[0]!.toFixed(2));
}
