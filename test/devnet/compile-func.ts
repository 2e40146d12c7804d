import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunc } from '@ton-community/func-js';
import { Cell } from '@ton/core';

/** The code of a contract in FunC. @throws Error with what the compiler says */
export async function compileContract(folder: string, target: string): Promise<Cell> {
  const result = await compileFunc({
    targets: [target],
    sources: path => readFileSync(join(folder, path), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  return Cell.fromBase64(result.codeBoc);
}
