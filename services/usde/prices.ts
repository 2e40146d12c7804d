import type { SharePrice, SharePriceDay, SharePriceObserved } from '../../contracts/chain/ton-usde';
import type { TonNetworkSubject } from '../../contracts/chain/ton-network-config';
import type { TonNetwork } from '../../contracts/network/network';
import type { ObservedReader } from '../../contracts/observation/reader';

export interface SharePriceReaders {
  /** What the vault says now. */
  readonly price: ObservedReader<TonNetworkSubject, SharePriceObserved>;
  /** What it said on each day. */
  readonly daily: ObservedReader<SharePriceDay, SharePriceObserved>;
}

const SECONDS_PER_DAY = 86_400;
/** How long ago a price may be that the present one is compared with. */
const MAX_DAYS = 31;

/** The price that the vault said last. @throws Problem 503 before it has said any */
export async function currentPrice(
  { price }: Pick<SharePriceReaders, 'price'>,
  network: TonNetwork,
): Promise<SharePrice> {
  const { data } = await price.read({ network });
  if (!data) throw price.notReady({ network }, 'The price of tsUSDe');
  return data;
}

/** The prices of the days before, oldest first. Has that of today observed if it was not. */
export async function pricesBefore(
  { daily }: Pick<SharePriceReaders, 'daily'>,
  network: TonNetwork,
  { time }: SharePrice,
): Promise<readonly SharePrice[]> {
  const today = Math.floor(time / SECONDS_PER_DAY);
  const days = Array.from({ length: MAX_DAYS + 1 }, (_, ago) => today - MAX_DAYS + ago);
  const found = await daily.findMany(days.map(day => ({ network, day })));
  if (!found.at(-1)?.data) await daily.request({ network, day: today });
  return found.flatMap(observed => observed?.data ?? []);
}
