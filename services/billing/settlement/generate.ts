import { isRefusal, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { ERRORS } from '../../../contracts/problem/errors';
import { settlementIdOf, settlementStream, type SettlementEvent } from '../../../contracts/events/settlement';
import type { Rebate } from '../../../contracts/events/rebate';
import { BEGINNING } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { SettlementDocument } from '../../../projections/billing/settlements';
import { merchantIds, REVENUE_BY_MERCHANT } from '../../../projections/billing/revenue-buckets';
import type { Outcome } from '../../commands/handle';
import { assertBegun } from '../begun-month';
import { unwrap } from '../unwrap';
import { load } from '../../commands/load';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { rebateRule } from '../rebate/set-rule';
import { evolve, type SettlementAccount } from './account';
import { nothingToSettle, OUTDATED, type GenerateSettlement } from './decide-generate';
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
 * @throws Problem 400 for a month that has not begun, 409 `settlement_exists` while another one is not void, 422 `nothing_to_settle`
 */
export async function generateSettlement(
  deps: GenerateDeps,
  billingPeriod: string,
  merchantId: string,
  metadata: CommandMetadata,
): Promise<SettlementsResult> {
  assertBegun(deps.calendar, billingPeriod, metadata.now);
  const month = { billingPeriod, commandId: deps.newId(), metadata };
  return done([unwrap(await settle(deps, merchantId, month))]);
}

/**
 * Settles a month with every merchant that has a balance for it and no settlement of it yet. Each merchant is settled
 * separately: a failure of one does not undo the others, and the call can be repeated.
 * @throws Problem 400 for a month that has not begun, 409 `settlement_exists` when all are settled, 422 `nothing_to_settle` when no merchant has a balance
 */
export async function generateSettlements(
  deps: GenerateDeps,
  billingPeriod: string,
  metadata: CommandMetadata,
): Promise<SettlementsResult> {
  assertBegun(deps.calendar, billingPeriod, metadata.now);
  const month = { billingPeriod, commandId: deps.newId(), metadata };
  return done(await withAllMerchants(deps, billingPeriod, merchantId => settle(deps, merchantId, month)));
}

/** A settlement that was not generated, and the rebates in it. */
interface SettlementPreview {
  readonly refusal: null;
  readonly settlement: SettlementDocument;
  readonly rebates: readonly Rebate[];
}

/**
 * What `generateSettlement`, or without a merchant `generateSettlements`, would settle now. Nothing is written.
 * @throws Problem as these
 */
export async function previewSettlements(
  deps: GenerateDeps,
  billingPeriod: string,
  merchantId: string | undefined,
  metadata: CommandMetadata,
): Promise<readonly SettlementPreview[]> {
  assertBegun(deps.calendar, billingPeriod, metadata.now);
  const month = { billingPeriod, commandId: deps.newId(), metadata };
  const preview = (id: string): Promise<{ refusal: Refusal } | SettlementPreview> =>
    previewSettlement(deps, id, month);
  if (merchantId === undefined) return withAllMerchants(deps, billingPeriod, preview);
  const one = await preview(merchantId);
  if (one.refusal) throw Problem.of(one.refusal);
  return [one];
}

async function previewSettlement(
  deps: GenerateDeps,
  merchantId: string,
  month: MonthToSettle,
): Promise<{ readonly refusal: Refusal } | SettlementPreview> {
  const command = await commandOf(deps, merchantId, month);
  if (isRefusal(command)) return { refusal: command };
  const account = await load(deps.store, settlementKind, settlementStream(deps.instanceId, merchantId));
  const events = settlementKind.decider.decide(account, command);
  if (isRefusal(events)) return { refusal: events };
  const { rebates } = events.reduce(evolve, account).settlements.get(command.settlementId)!;
  return { refusal: null, settlement: settlementFrom(events), rebates };
}

/** The accepted results of all merchants. @throws Problem when there are none */
async function withAllMerchants<Result extends { readonly refusal: Refusal | null }>(
  deps: GenerateDeps,
  billingPeriod: string,
  attempt: (merchantId: string) => Promise<Result>,
): Promise<Extract<Result, { refusal: null }>[]> {
  await waitUntilFolded(deps.views, [REVENUE_BY_MERCHANT.name], await deps.store.head(), deps.waitMs);
  const accepted: Extract<Result, { refusal: null }>[] = [];
  let refusal = nothingToSettle(billingPeriod);
  for await (const merchants of inBatches(merchantIds(deps.views), CONCURRENCY)) {
    for (const each of await Promise.allSettled(merchants.map(attempt))) {
      if (each.status === 'rejected') throw each.reason;
      if (each.value.refusal === null) accepted.push(each.value as (typeof accepted)[number]);
      else if (ERRORS[each.value.refusal.code].status === 409) refusal = each.value.refusal;
    }
  }
  if (accepted.length === 0) throw Problem.of(refusal);
  return accepted;
}

/** Merchants that are settled at a time, so that the event store commits them together. */
const CONCURRENCY = 32;
const MAX_ATTEMPTS = 5;

async function settle(deps: GenerateDeps, merchantId: string, month: MonthToSettle): Promise<Generated> {
  for (let attempt = 1; ; attempt++) {
    const command = await commandOf(deps, merchantId, month);
    if (isRefusal(command)) return { refusal: command };
    const outcome = await deps.handle(settlementKind, settlementStream(deps.instanceId, merchantId), command);
    if (outcome.refusal?.code !== OUTDATED || attempt === MAX_ATTEMPTS) return outcome;
  }
}

async function commandOf(
  deps: GenerateDeps,
  merchantId: string,
  { billingPeriod, commandId, metadata }: MonthToSettle,
): Promise<GenerateSettlement | Refusal> {
  const rule = await rebateRule(deps.store, deps.instanceId);
  const merchant = await merchantSums(deps, merchantId);
  if (!merchant) return nothingToSettle(billingPeriod, merchantId);
  return {
    type: 'generate',
    settlementId: settlementIdOf(commandId, merchantId),
    billingPeriod,
    merchant,
    rule,
    currency: deps.currency,
    scale: deps.currencyScale,
    metadata,
  };
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
