import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunc } from '@ton-community/func-js';
import { Cell } from '@ton/core';

/**
 * The code of a contract in FunC.
 * @param changed the source of the target, as it is compiled
 * @throws Error with what the compiler says
 */
export async function compileContract(
  folder: string,
  target: string,
  changed: (source: string) => string = source => source,
): Promise<Cell> {
  const result = await compileFunc({
    targets: [target],
    sources(path) {
      const source = readFileSync(join(folder, path), 'utf8');
      return path === target ? changed(source) : source;
    },
  });
  if (result.status === 'error') throw new Error(result.message);
  return Cell.fromBase64(result.codeBoc);
}
