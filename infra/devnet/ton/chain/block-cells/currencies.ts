import { type CurrencyCollection, Dictionary, storeCurrencyCollection } from '@ton/core';
import type { Augmentation } from './augmented-dictionary';

const sumOfOther = (
  { other: left }: CurrencyCollection,
  { other: right }: CurrencyCollection,
): CurrencyCollection['other'] => {
  if (!left?.size || !right?.size) return left?.size ? left : right;
  const sum = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of [...left, ...right]) sum.set(id, (sum.get(id) ?? 0n) + amount);
  return sum;
};

export function isNothing({ coins, other }: CurrencyCollection): boolean {
  return coins === 0n && !other?.size;
}

/** Nanotons, and units of extra currencies, are added each for itself. */
export const CURRENCIES: Augmentation<CurrencyCollection> = {
  zero: { coins: 0n },
  add: (left, right) => ({ coins: left.coins + right.coins, other: sumOfOther(left, right) }),
  store: (currencies, to) => void to.store(storeCurrencyCollection(currencies)),
};
