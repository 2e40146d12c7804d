import { formatUnits } from '../../../contracts/money/decimal';
import type { Mint } from './mint';

/** Extensions of Token-2022 that change what an amount is shown as, by their numbers. */
const INTEREST_BEARING_CONFIG = 10;
const SCALED_UI_AMOUNT_CONFIG = 25;

const SECONDS_PER_YEAR = 60 * 60 * 24 * 365.24;
const BASIS_POINTS = 10_000;

/**
 * An amount of the smallest unit as the token program itself shows it, a decimal fraction: the result of its instruction
 * `AmountToUiAmount`. Where the mint bears interest or has a multiplier, the program computes in doubles and writes out what
 * the double is, so this does too.
 * Source: `extension/interest_bearing_mint` and `extension/scaled_ui_amount` of https://github.com/solana-program/token-2022
 * @param unixTime of the chain's clock, in seconds
 * @returns null when it is beyond what a double holds
 */
export function uiAmount(mint: Mint, amount: bigint, unixTime: bigint): string | null {
  const { decimals } = mint;
  const unit = powerOfTen(decimals);
  const interest = mint.extension(INTEREST_BEARING_CONFIG);
  if (interest) return decimalText(Number(amount) * (growth(interest, unixTime) / unit), decimals);
  const scaled = mint.extension(SCALED_UI_AMOUNT_CONFIG);
  if (scaled) return decimalText(Math.trunc(Number(amount) * multiplier(scaled, unixTime)) / unit, decimals);
  return formatUnits(amount, decimals);
}

/** Interest is compounded continuously: at the average rate up to the last change of the rate, and at the new one since. */
function growth(config: Buffer, unixTime: bigint): number {
  const initialized = config.readBigInt64LE(32);
  const changed = config.readBigInt64LE(42);
  const grown = (rate: number, seconds: bigint): number =>
    Math.exp(Number(BigInt(rate) * seconds) / SECONDS_PER_YEAR / BASIS_POINTS);
  return (
    grown(config.readInt16LE(40), changed - initialized) * grown(config.readInt16LE(50), unixTime - changed)
  );
}

/** The multiplier, or the next one from its time on. */
function multiplier(config: Buffer, unixTime: bigint): number {
  return config.readDoubleLE(unixTime >= config.readBigInt64LE(40) ? 48 : 32);
}

/** By repeated squaring, as the program does: beyond 10^22 that is another double than the nearest. */
function powerOfTen(exponent: number): number {
  let power = 1;
  for (let rest = exponent, square = 10; rest > 0; rest >>= 1, square *= square)
    if (rest & 1) power *= square;
  return power;
}

const FRACTION_BITS = 52n;

/** A double, not negative, rounded to so many digits after the point, half to even; trailing zeros are left out. */
function decimalText(value: number, digits: number): string | null {
  if (!Number.isFinite(value)) return null;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const bits = bytes.readBigUInt64BE();
  const exponent = bits >> FRACTION_BITS;
  const fraction = BigInt.asUintN(Number(FRACTION_BITS), bits);
  // The value is `whole * 2^-shift`.
  const whole = exponent === 0n ? fraction : fraction | (1n << FRACTION_BITS);
  const shift = 1_075n - (exponent === 0n ? 1n : exponent);
  const scaled = whole * 10n ** BigInt(digits);
  return formatUnits(shift <= 0n ? scaled << -shift : roundedShift(scaled, shift), digits);
}

/** `value / 2^bits`, rounded half to even. */
function roundedShift(value: bigint, bits: bigint): bigint {
  const quotient = value >> bits;
  const rest = value - (quotient << bits);
  const half = 1n << (bits - 1n);
  return rest > half || (rest === half && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}
