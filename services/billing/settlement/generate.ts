import type { CommandMetadata } from '../../../contracts/decider';
import { settlementIdOf, settlementStream, type SettlementEvent } from '../../../contracts/events/settlement';
import { BEGINNING } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem';
import { merchantIds, REVENUE_BY_MERCHANT } from '../../../projections/billing/revenue-buckets';
import type { Outcome } from '../../handle';
import { accepted } from '../accepted';
import { caughtUp } from '../freshness';
import { rebateRule } from '../rebate/set-rule';
import type { SettlementAccount } from './account';
import { nothingToSettle, OUTDATED } from './decide-generate';
import { settlementKind } from './decider';
import type { GenerateDeps, SettlementsDone } from './deps';
import { merchantSums } from './merchant-sums';
import { settlementFrom } from './view';

type Generated = Outcome<SettlementAccount, SettlementEvent>;

interface Wanted {
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
): Promise<SettlementsDone> {
  const wanted = { billingPeriod, commandId: deps.newId(), metadata };
  return done([accepted(await settle(deps, merchantId, wanted))]);
}

/**
 * Settles a month with every merchant that has a balance for it and no settlement of it yet. Each is settled by itself:
 * when it fails for some the others stand, and it can be tried again.
 * @throws Problem 409 `settlement_exists` when that leaves nobody, 422 `nothing_to_settle` when nobody has a balance
 */
export async function generateSettlements(
  deps: GenerateDeps,
  billingPeriod: string,
  metadata: CommandMetadata,
): Promise<SettlementsDone> {
  await caughtUp(deps.views, [REVENUE_BY_MERCHANT.name], await deps.store.head(), deps.patience);
  const wanted = { billingPeriod, commandId: deps.newId(), metadata };
  const settled: Accepted[] = [];
  let refusal = nothingToSettle(billingPeriod);
  for await (const merchants of inBatches(merchantIds(deps.views), AT_ONCE)) {
    const tried = await Promise.allSettled(merchants.map(merchantId => settle(deps, merchantId, wanted)));
    for (const each of tried) {
      if (each.status === 'rejected') throw each.reason;
      if (each.value.refusal === null) settled.push(each.value);
      else if (each.value.refusal.status === 409) refusal = each.value.refusal;
    }
  }
  if (settled.length === 0) throw Problem.of(refusal);
  return done(settled);
}

/** Merchants that are settled at once, so that the event store commits them together. */
const AT_ONCE = 32;
const TRIES = 5;

async function settle(deps: GenerateDeps, merchantId: string, wanted: Wanted): Promise<Generated> {
  const { billingPeriod, commandId, metadata } = wanted;
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
    if (outcome.refusal?.code !== OUTDATED || attempt === TRIES) return outcome;
  }
}

type Accepted = Extract<Generated, { refusal: null }>;

const done = (settled: readonly Accepted[]): SettlementsDone => ({
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
