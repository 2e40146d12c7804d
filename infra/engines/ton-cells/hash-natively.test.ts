import { createHash, randomBytes } from 'node:crypto';
import { beginCell, Cell } from '@ton/core';
import { sha256_sync as sha256 } from '@ton/crypto';
import { hashCellsNatively } from './hash-natively';

/** Among them one without bits, and one whose bits are not whole bytes. */
const cells = (seed: Buffer): Cell[] => [
  Cell.EMPTY,
  beginCell().storeUint(5, 3).endCell(),
  beginCell().storeBuffer(seed).storeRef(Cell.EMPTY).endCell(),
];

it('gives the same hashes as the library of the cells, and is what that calls', () => {
  const seed = randomBytes(20);
  const hashes = cells(seed).map(cell => cell.hash());
  const texts = ['', 'Tidemark', 'é'].map(text => sha256(text));
  const before = sha256;
  hashCellsNatively();
  expect(sha256).not.toBe(before);
  expect(cells(seed).map(cell => cell.hash())).toEqual(hashes);
  expect(['', 'Tidemark', 'é'].map(text => sha256(text))).toEqual(texts);
  expect(sha256(seed)).toEqual(createHash('sha256').update(seed).digest());
});
