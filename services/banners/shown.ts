import { createHash } from 'node:crypto';
import { isLaterVersion } from '../../contracts/text/app-version';
import type { z } from 'zod';
import type { Advertisement, AdViewer, listing } from '../../contracts/http/catalog/banners';

interface Timed {
  readonly start_date: number;
  readonly expiration_date: number;
  readonly enabled?: boolean;
}

/** Why a banner is not shown at an instant; null when it is. @param now milliseconds since the epoch */
export function whyNotNow(
  { start_date, expiration_date, enabled = true }: Timed,
  now: number,
): string | null {
  if (!enabled) return 'disabled';
  if (now < start_date) return `starts at ${new Date(start_date).toISOString()}`;
  if (now >= expiration_date) return `ended at ${new Date(expiration_date).toISOString()}`;
  return null;
}

/** As a wide image, and as an entry of a list. */
const SHOWN_TYPES: readonly unknown[] = ['bannerItem', 'listItem'];

/** Why wallets show a banner of a browser nowhere, though it is served; null when they do. */
export function whyNowhere({ banner_type }: Pick<z.output<typeof listing>, 'banner_type'>): string | null {
  return SHOWN_TYPES.includes(banner_type) ? null : 'its banner_type is neither bannerItem nor listItem';
}

/** Why an advertisement is not for a wallet; null when it is. */
export function whyNotFor(ad: Advertisement, { platform, language, version }: AdViewer): string | null {
  const { platforms, languages, min_version, max_version } = ad;
  if (platforms && !platforms.includes(platform)) return `for ${platforms.join(', ')}`;
  const primary = language.split(/[-_]/)[0]!.toLowerCase();
  if (languages && !languages.includes(primary)) return `in ${languages.join(', ')}`;
  if (min_version !== undefined && isLaterVersion(min_version, version)) return `from version ${min_version}`;
  if (max_version !== undefined && isLaterVersion(version, max_version))
    return `up to version ${max_version}`;
  return null;
}

/**
 * The advertisement of a day: each by chance in proportion to its weight, and the same one for every process and cache, as
 * the chance is a hash of day and id. The one with the smallest `-ln(u) / weight` (Efraimidis and Spirakis, "Weighted random
 * sampling with a reservoir", 2006), so that one that is added or removed changes no choice between the others.
 * @param now milliseconds since the epoch
 */
export function adOfDay(ads: readonly Advertisement[], now: number): Advertisement | null {
  const day = new Date(now).toISOString().slice(0, 10);
  const ranked = ads.map(ad => ({ ad, rank: -Math.log(chance(`${day}/${ad.id}`)) / ad.weight }));
  return ranked.sort((a, b) => a.rank - b.rank)[0]?.ad ?? null;
}

/** Uniform above 0 and up to 1: the first 48 bits of SHA-256. */
const chance = (text: string): number =>
  (createHash('sha256').update(text).digest().readUIntBE(0, 6) + 1) / 2 ** 48;
