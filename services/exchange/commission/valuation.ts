import { product } from '../../../contracts/money/money';
import {
  PartnerRefused,
  type ExchangePair,
  type ExchangePartner,
  type PartnerEstimate,
} from '../../../contracts/ports/exchange-partner';

/** Of a rate; finer ones are cut off. */
const MAX_DECIMALS = 18;
/** A millionth of the instance's currency. */
export const VALUE_DECIMALS = 6;

/**
 * What an amount is worth in the instance's currency, by the partner's own rate before fees, rounded half to even.
 * @param currency that which is worth as much as the instance's
 * @throws PartnerRefused, PartnerUnavailable
 */
export async function valueOf(
  partner: Pick<ExchangePartner, 'estimate'>,
  amount: string,
  pair: ExchangePair,
  signal: AbortSignal,
): Promise<string> {
  if (pair.from === pair.to) return product(amount, '1', VALUE_DECIMALS);
  const { rate } = await estimate(partner, amount, pair, signal);
  const [whole, fraction = ''] = rate.split('.');
  return product(amount, fraction ? `${whole}.${fraction.slice(0, MAX_DECIMALS)}` : whole!, VALUE_DECIMALS);
}

/** Of the amount, or of the nearest that the partner exchanges: the rate counts. */
async function estimate(
  partner: Pick<ExchangePartner, 'estimate'>,
  amount: string,
  pair: ExchangePair,
  signal: AbortSignal,
): Promise<PartnerEstimate> {
  const call = { priority: 'background', signal } as const;
  try {
    return await partner.estimate(pair, amount, call);
  } catch (error) {
    if (!(error instanceof PartnerRefused) || error.limits === null) throw error;
    const nearest = error.reason === 'amount_too_high' ? error.limits.maxFrom : error.limits.minFrom;
    if (nearest === null) throw error;
    return partner.estimate(pair, nearest, call);
  }
}
