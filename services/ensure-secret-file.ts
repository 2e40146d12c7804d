import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The content of a secret file, created on first use and readable by its owner only. Programs that start at the same
 * time get the same content: the file is linked, which unlike renaming never replaces one that exists.
 */
export async function ensureSecretFile(
  file: string,
  create: () => string | Promise<string>,
): Promise<string> {
  const existing = await read(file);
  if (existing !== null) return existing;

  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, await create(), { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
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
