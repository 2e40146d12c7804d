import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunc } from '@ton-community/func-js';
import { Cell } from '@ton/core';
import { MINTER_CODE, WALLET_CODE } from './code';

it.each([
  ['jetton-minter.fc', MINTER_CODE],
  ['jetton-wallet.fc', WALLET_CODE],
])('%s compiles to the code that is deployed', async (target, code) => {
  const result = await compileFunc({
    targets: [target],
    sources: path => readFileSync(join(__dirname, path), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  expect(Cell.fromBase64(result.codeBoc).hash().toString('hex')).toBe(code.hash().toString('hex'));
});
