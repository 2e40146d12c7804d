import { readFile } from 'node:fs/promises';
import { Cell } from '@ton/core';
import { cannotRead } from '../../../config/file-error';

/**
 * The cells in a file: a bag of cells in base64 on each line. What a contract names is the hash of its library, so that nothing
 * else in the file is ever run.
 * @throws when it cannot be read, or a line is none
 */
export async function librariesIn(file: string | undefined): Promise<readonly Cell[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines.flatMap(({ line, number }) => (line === '' ? [] : [cellIn(line, `${file}:${number}`)]));
}

function cellIn(line: string, place: string): Cell {
  try {
    return Cell.fromBase64(line);
  } catch (error) {
    throw new Error(`${place}: no bag of cells in base64`, { cause: error });
  }
}
