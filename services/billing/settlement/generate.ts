import type { CommandMetadata } from '../../../contracts/decider';
import { ERRORS } from '../../../contracts/errors';
import { settlementIdOf, settlementStream, type SettlementEvent } from '../../../contracts/events/settlement';
import { BEGINNING } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem';
import { merchantIds, REVENUE_BY_MERCHANT } from '../../../projections/billing/revenue-buckets';
import type { Outcome } from '../../handle';
import { unwrap } from '../unwrap';
import { waitUntilFolded } from '../wait-until-folded';
import { rebateRule } from '../rebate/set-rule';
import type { SettlementAccount } from './account';
import { nothingToSettle, OUTDATED } from './decide-generate';
import { settlementKind } from './decider';
import type { GenerateDeps, SettlementsResult } from './deps';
import { merchantSums } from './merchant-sums';
import { settlementFrom } from './from-stream';

type Generated = Outcome<SettlementAccount, SettlementEvent>;

interface MonthToSettle {
  readonly billingPeriod: string;
  readonly commandId: string;
  readonly metadata: CommandMetadata;
}

/**
 * Settles a month with one merchant.
 * @throws Problem 409 `settlement_exists` while another one is not void, 422 `nothing_to_settle`
 */
export async function generateSettlement(
  deps: GenerateDeps,
  billingPeriod: string,
  merchantId: string,
  metadata: CommandMetadata,
): Promise<SettlementsResult> {
  const month = { billingPeriod, commandId: deps.newId(), metadata };
  return done([unwrap(await settle(deps, merchantId, month))]);
}

/**
 * Settles a month with every merchant that has a balance for it and no settlement of it yet. Each merchant is settled
 * separately: a failure of one does not undo the others, and the call can be repeated.
 * @throws Problem 409 `settlement_exists` when all are settled, 422 `nothing_to_settle` when no merchant has a balance
 */
export async function generateSettlements(
  deps: GenerateDeps,
  billingPeriod: string,
  metadata: CommandMetadata,
): Promise<SettlementsResult> {
  await waitUntilFolded(deps.views, [REVENUE_BY_MERCHANT.name], await deps.store.head(), deps.waitMs);
  const month = { billingPeriod, commandId: deps.newId(), metadata };
  const settled: Accepted[] = [];
  let refusal = nothingToSettle(billingPeriod);
  for await (const merchants of inBatches(merchantIds(deps.views), CONCURRENCY)) {
    const tried = await Promise.allSettled(merchants.map(merchantId => settle(deps, merchantId, month)));
    for (const each of tried) {
      if (each.status === 'rejected') throw each.reason;
      if (each.value.refusal === null) settled.push(each.value);
      else if (ERRORS[each.value.refusal.code].status === 409) refusal = each.value.refusal;
    }
  }
  if (settled.length === 0) throw Problem.of(refusal);
  return done(settled);
}

/** Merchants that are settled at a time, so that the event store commits them together. */
const CONCURRENCY = 32;
const MAX_ATTEMPTS = 5;

async function settle(deps: GenerateDeps, merchantId: string, month: MonthToSettle): Promise<Generated> {
  const { billingPeriod, commandId, metadata } = month;
  for (let attempt = 1; ; attempt++) {
    const rule = await rebateRule(deps.store, deps.instanceId);
    const merchant = await merchantSums(deps, merchantId);
    if (!merchant) return { refusal: nothingToSettle(billingPeriod, merchantId) };
    const outcome = await deps.handle(settlementKind, settlementStream(deps.instanceId, merchantId), {
      type: 'generate',
      settlementId: settlementIdOf(commandId, merchantId),
      billingPeriod,
      merchant,
      rule,
      currency: deps.currency,
      scale: deps.currencyScale,
      metadata,
    });
    if (outcome.refusal?.code !== OUTDATED || attempt === MAX_ATTEMPTS) return outcome;
  }
}

type Accepted = Extract<Generated, { refusal: null }>;

const done = (settled: readonly Accepted[]): SettlementsResult => ({
  settlements: settled.map(({ events }) => settlementFrom(events)),
  position: settled.reduce((latest, { position }) => Math.max(latest, position), BEGINNING),
});

async function* inBatches<T>(all: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
