import { divideHalfEven } from '../../../contracts/money/decimal';

/** So many units of the account's currency are so many of the smallest of the card's, both integers as text. */
export interface CardRate {
  readonly units: string;
  readonly per: string;
}

export interface Conversion {
  /** In units of the account's currency, the nearest; of two the even one. */
  readonly units: bigint;
  /** What the conversion has left: `units × per + rounding = fiat × rate.units`. */
  readonly rounding: bigint;
}

/** @param fiat in the smallest unit of the card's currency @param rate `per` is positive */
export function convert(fiat: bigint, rate: CardRate): Conversion {
  const [exact, per] = [fiat * BigInt(rate.units), BigInt(rate.per)];
  const units = divideHalfEven(exact, per);
  return { units, rounding: exact - units * per };
}
