import type { TupleReader } from '@ton/core';

const COINS_BITS = 120n;

/** Whether a number can be an amount: `VarUInteger 16` of `block.tlb` has 120 bits. A get method may return any number. */
export function isCoins(value: bigint): boolean {
  return value >= 0n && value < 1n << COINS_BITS;
}

/** The next item of a stack, decimal. @throws Error for what are no coins */
export function readCoins(stack: TupleReader): string {
  const coins = stack.readBigNumber();
  if (!isCoins(coins)) throw new Error(`no coins: ${coins}`);
  return String(coins);
}
