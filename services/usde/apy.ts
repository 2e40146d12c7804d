import type { SharePrice } from '../../contracts/chain/ton-usde';

const SECONDS_PER_YEAR = 31_536_000;
/** Rewards come some times a day: over less than a day they would look like many times what they are. */
const MIN_ELAPSED = 86_400;
const WEEK = 604_800;
/** Beyond this, percent, no price is believed. */
const MAX_APY = 1e9;

/** How `shareApy` is computed, for those who check it. */
export const APY_FORMULA =
  '((to.usdeRate / from.usdeRate) ^ (31536000 / seconds from from.time to to.time) - 1) * 100';

/** With which earlier price one is compared: the last one that is a week older, or else the oldest that is a day older. */
export function earlierPrice(earlier: readonly SharePrice[], { time }: SharePrice): SharePrice | null {
  const usable = earlier
    .filter(each => time - each.time >= MIN_ELAPSED)
    .sort((one, other) => one.time - other.time);
  return usable.findLast(each => time - each.time >= WEEK) ?? usable[0] ?? null;
}

/** Seconds; no client is told to wait for longer. */
const MAX_WAIT = 3_600;

/** Seconds until there may be a yield: until one of the earlier prices is a day older than the present one, at most an hour. */
export function secondsToApy(earlier: readonly SharePrice[], { time }: SharePrice): number {
  const left = earlier.map(each => each.time + MIN_ELAPSED - time).filter(seconds => seconds > 0);
  return Math.min(MAX_WAIT, ...left);
}

/** Percent of `APY_FORMULA`; null where the prices are so far apart that they say nothing. */
export function shareApy(from: SharePrice, to: SharePrice): number | null {
  const growth = Math.log(Number(to.price)) - Math.log(Number(from.price));
  const apy = 100 * Math.expm1((growth * SECONDS_PER_YEAR) / (to.time - from.time));
  return apy < MAX_APY ? apy : null;
}
