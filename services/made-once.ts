import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The content of a secret file, made on first use and readable by its owner only. Programs that start at the same time
 * end up with the same.
 */
export async function madeOnce(file: string, make: () => string | Promise<string>): Promise<string> {
  const found = await read(file);
  if (found !== null) return found;

  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}`;
  try {
    await writeFile(made, await make(), { mode: 0o600, flag: 'wx', flush: true });
    await link(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(made, { force: true });
  }
  return (await read(file))!;
}

async function read(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
