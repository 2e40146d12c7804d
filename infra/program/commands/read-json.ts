import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { parseIJson } from '../../../contracts/json/i-json';
import { cannotRead } from '../../config/file-error';
import { parseInput } from './parse-input';

/**
 * Reads a JSON document that has one reading only from a file, or from the standard input for `-`, with or without a byte order
 * mark: a name that comes twice, or
 * a number that would be rounded, is not what its author sees.
 * @throws Error that names the file or the standard input, with a line for each fault
 */
export async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    const content = file === '-' ? await buffer(process.stdin) : await readFile(file);
    return parseInput(schema, parseIJson(withoutMark(content)));
  } catch (error) {
    throw cannotRead(file === '-' ? 'standard input' : file, error);
  }
}

const MARK = Buffer.from('\ufeff');

const withoutMark = (content: Buffer): Buffer =>
  content.subarray(0, MARK.length).equals(MARK) ? content.subarray(MARK.length) : content;
