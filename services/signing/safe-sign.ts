import type { Cell } from '@ton/core';
import { sha256 } from '../../contracts/encoding/sha256';
import { verifyEd25519 } from './ed25519';

const PREFIX = Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.from('ton-safe-sign-magic')]);

/**
 * Whether `safeSign` of `@ton/core`, with its default seed, has made the signature: Ed25519 over SHA-256(0xffff ‖ seed ‖ hash of
 * the cell). Its own `safeSignVerify` is in JavaScript and takes twenty times as long, which anybody could make the program do.
 * @param signature 64 bytes
 * @param publicKey 32 bytes
 */
export function verifySafeSign(cell: Cell, signature: Buffer, publicKey: Buffer): boolean {
  return verifyEd25519(sha256(Buffer.concat([PREFIX, cell.hash()])), signature, publicKey);
}
