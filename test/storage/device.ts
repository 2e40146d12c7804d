import { createHash } from 'node:crypto';
import { beginCell, safeSign } from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';

/** What a wallet sends to cloud storage, made as the app makes it: with the libraries of TON alone. */
export interface ReadRequest {
  readonly key: string;
  readonly signature: string;
  readonly time: number;
}

export interface WriteRequest extends ReadRequest {
  readonly seq: number;
  readonly value: string;
}

export function keysOf(name: string): KeyPair {
  return keyPairFromSeed(createHash('sha256').update(name).digest());
}

/** Unix seconds at which a request made now expires. */
export function inOneMinute(): number {
  return Math.floor(Date.now() / 1_000) + 60;
}

export function readRequest({ publicKey, secretKey }: KeyPair, time = inOneMinute()): ReadRequest {
  const cell = beginCell().storeBuffer(publicKey).storeUint(time, 32).endCell();
  const signature = safeSign(cell, secretKey).toString('base64');
  return { key: publicKey.toString('base64'), signature, time };
}

export function writeRequest(
  { publicKey, secretKey }: KeyPair,
  seq: number,
  value: Buffer,
  time = inOneMinute(),
): WriteRequest {
  const cell = beginCell()
    .storeBuffer(publicKey)
    .storeBuffer(createHash('sha256').update(value).digest())
    .storeUint(seq, 32)
    .storeUint(time, 32)
    .endCell();
  const signature = safeSign(cell, secretKey).toString('base64');
  return { key: publicKey.toString('base64'), signature, time, seq, value: value.toString('base64') };
}
