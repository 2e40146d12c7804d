import { existsSync } from 'node:fs';

const FILE = '.env';

/**
 * Reads `.env` of the working directory, if there is one: what the environment has already is kept. Tests are not run with the
 * settings of the user who runs them.
 */
export function loadEnvFile(): void {
  if (process.env.NODE_ENV === 'test' || !existsSync(FILE)) return;
  try {
    process.loadEnvFile(FILE);
  } catch (error) {
    process.stderr.write(`${FILE} cannot be read: ${(error as Error).message}\n`);
    process.exit(1);
  }
}
