import { spawn } from 'node:child_process';
import type { Row } from '../row';

/** A row that never ends, nor does the program that it starts, whose process id it says. */
export const row: Row = async ({ say }) => {
  const program = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: 'ignore' });
  say(`started ${program.pid}`);
  return new Promise(() => undefined);
};
