import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { readJson } from '../../contracts/json/read-json';

/** The message names the file, what is wrong with it and what to do; it has nothing of the content. */
export class UnusableSecretFile extends Error {
  override readonly name = 'UnusableSecretFile';
  constructor(file: string, fault: string, remedy: string) {
    super(`${file}: ${fault}. ${remedy}`);
  }
}

/**
 * The content of a secret file, created on first use and readable by its owner only. It appears complete and durable.
 * Programs that start at the same time get the same content: the file is linked, which unlike renaming never replaces one
 * that exists.
 * @throws UnusableSecretFile when it exists and cannot be read; an error of the file system when it cannot be written
 */
export async function ensureSecretFile(
  file: string,
  create: () => string | Promise<string>,
): Promise<string> {
  const existing = await read(file);
  if (existing !== null) return existing;

  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, await create(), { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, file);
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return (await read(file))!;
}

/**
 * The JSON in a secret file. The message of the parser is not passed on: it quotes the text.
 * @param kind what the schema describes, for the message
 * @param remedy a sentence for operators
 * @throws UnusableSecretFile
 */
export function parseSecretJson<S extends z.ZodType>(
  { file, kind, remedy }: { readonly file: string; readonly kind: string; readonly remedy: string },
  text: string,
  schema: S,
): z.output<S> {
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const fault =
    text.trim() === ''
      ? 'the file is empty'
      : jsonOf(text) === undefined
        ? `the file is damaged or was not written to its end: its ${Buffer.byteLength(text)} bytes are not JSON`
        : `not ${kind}`;
  throw new UnusableSecretFile(file, fault, remedy);
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

async function read(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new UnusableSecretFile(
      file,
      `the file cannot be read (${code})`,
      'It has to be a file that the user of the program may read.',
    );
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
