import { PartnerRefused, type ExchangePartner } from '../../../contracts/ports/exchange-partner';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { countUnpaidOrders } from '../../../projections/exchange/queries';
import type { Views } from '../../../projections/views';
import type { AnyCall } from '../../http/call';
import { expectPartner } from '../market/currencies';
import type { Estimate } from '../market/estimates';
import { createExchangeOrder, type CreateOrderDeps } from './create';
import type { ExchangeOrder } from './state';
import { orderRequest, type CreateBody, type RequestDeps } from './request';
import { partnerProblem } from '../partner-problems';

export interface CreateDeps extends Omit<CreateOrderDeps, 'unpaidOrders' | 'partner'>, RequestDeps {
  readonly views: Pick<Views, 'count'>;
  readonly estimate: Estimate;
  /** Opened at the first use; null where nothing can be exchanged. */
  readonly partner: () => Promise<ExchangePartner | null>;
}

type Caller = Pick<AnyCall, 'ip' | 'appendHeader'>;

/**
 * Orders an exchange as a wallet asks for it.
 * @returns the order, which the partner has made
 * @throws Problem 4xx that names why, with limits where the amount is beyond them; 503 when the partner cannot be asked yet
 */
export async function createOrder(
  deps: CreateDeps,
  body: CreateBody,
  caller: Caller,
): Promise<{ readonly order: ExchangeOrder; readonly position: Position }> {
  const { request, found } = await orderRequest(deps, body, caller);
  const created = await createExchangeOrder(
    {
      ...deps,
      partner: await expectPartner(deps.partner),
      unpaidOrders: ({ wallet, source }, now) => countUnpaidOrders(deps.views, wallet, source, now),
    },
    request,
    found,
  );
  const { placing } = created.order;
  if (placing.step === 'rejected')
    throw await rejection(deps, new PartnerRefused(placing.reason, placing.message), body, caller);
  if (placing.step === 'abandoned')
    throw new Problem(
      'exchange_order_abandoned',
      'The exchange partner could not be asked for the order. Pay nothing; create another order with another key.',
    );
  return created;
}

/** The order has only the reason: an estimate of the same amount is refused with the limits. */
async function rejection(
  { estimate }: CreateDeps,
  refused: PartnerRefused,
  body: CreateBody,
  caller: Caller,
): Promise<unknown> {
  const { fromCurrency: from, toCurrency: to } = body;
  const problem = partnerProblem(refused, { from, to });
  if (refused.reason !== 'amount_too_low' && refused.reason !== 'amount_too_high') return problem;
  const refusal: unknown = await estimate(body, caller).catch((error: unknown) => error);
  return refusal instanceof Problem && refusal.code === 'exchange_limit' ? refusal : problem;
}
