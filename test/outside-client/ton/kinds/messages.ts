import { internal, toNano, type Address, type Cell, type MessageRelaxed } from '@ton/core';
import type { Part } from '../scenario';

/** The value of a call. */
export const VALUE = toNano('0.2');
/** More than any wallet has. */
export const TOO_MUCH = toNano(2_000_000);

/** A message that leaves its value where it is sent. */
export function pay(to: Address, value: bigint, body?: Cell | string): MessageRelaxed {
  return internal({ to, value, bounce: false, ...(body !== undefined && { body }) });
}

/** A message that comes back when the receiver does not take it. */
export function call(to: Address, value: bigint, body?: Cell | string): MessageRelaxed {
  return internal({ to, value, bounce: true, ...(body !== undefined && { body }) });
}

/** What becomes of a payment. */
export function transferred(receiver: Address, amount: bigint, text?: string): Part {
  return { kind: 'ton_transfer', receiver, amount, ...(text && { comment: text }) };
}

/** Some nanotons below one TON. */
export function some(random: () => number): bigint {
  return 1n + BigInt(Math.floor(random() * 900_000_000));
}

export const LONG_COMMENT = 'Спасибо за обед 🍜, и до встречи на озере! '.repeat(8);
