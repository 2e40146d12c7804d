import { existsSync, readFileSync } from 'node:fs';
import { fileFault } from '../config/file-error';

const FILE = '.env';

/**
 * Reads `.env` of the working directory, if there is one: what the environment has already is kept. Tests are not run with the
 * settings of the user who runs them.
 */
export function loadEnvFile(): void {
  if (process.env.NODE_ENV === 'test' || !existsSync(FILE)) return;
  try {
    // Node says of a folder that its contents should be a string.
    readFileSync(FILE);
    process.loadEnvFile(FILE);
  } catch (error) {
    process.stderr.write(`${FILE} cannot be read: ${fileFault(error)}\n`);
    process.exit(64);
  }
}
