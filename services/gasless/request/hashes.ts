import { Address, beginCell, external, storeMessage } from '@ton/core';
import type { Carrier } from './carrier';

/**
 * By which somebody may ask for a request, hex: of what was posted, of the same message with the state of the wallet and without,
 * as libraries write it and normalized by TEP-467, and of the body alone.
 */
export function hashesOf({ wallet, init, body, hash }: Carrier): string[] {
  const to = Address.parseRaw(wallet);
  const messages = [
    beginCell().store(storeMessage(external({ to, body }))),
    beginCell().store(storeMessage(external({ to, body }), { forceRef: true })),
    ...(init ? [beginCell().store(storeMessage(external({ to, init, body })))] : []),
  ];
  const hashes = messages.map(message => message.endCell().hash().toString('hex'));
  return [...new Set([hash, ...hashes, body.hash().toString('hex')])];
}
