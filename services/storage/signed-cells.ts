import { beginCell, type Cell } from '@ton/core';
import { sha256 } from '../../contracts/encoding/sha256';

/*
 * What wallets sign, with `safeSign` and the key of the entry. `time`, in unix seconds, is when the signature expires. The two
 * differ in length, so that neither is ever taken for the other.
 */

/** key (256 bits) ‖ time (32) */
export function readCell(key: Buffer, time: number): Cell {
  return beginCell().storeBuffer(key, 32).storeUint(time, 32).endCell();
}

/** key (256 bits) ‖ SHA-256 of the value (256) ‖ seq (32) ‖ time (32) */
export function writeCell(key: Buffer, value: Buffer, seq: number, time: number): Cell {
  return beginCell()
    .storeBuffer(key, 32)
    .storeBuffer(sha256(value))
    .storeUint(seq, 32)
    .storeUint(time, 32)
    .endCell();
}
