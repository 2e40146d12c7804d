import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { parseInput } from './parse-input';

/**
 * Reads a JSON document from a file, or from the standard input for `-`.
 * @throws Error that names the file, with a line for each fault
 */
export async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  try {
    return parseInput(schema, JSON.parse(content));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
