import { periodOf } from '../../../contracts/billing-period';
import type { Calendar } from '../../../contracts/calendar';
import { isRefusal, refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { feeStream } from '../../../contracts/events/fee';
import type { FeeResult } from '../../../contracts/http/billing-answers';
import type { FeeRequest } from '../../../contracts/http/billing-fees';
import { BEGINNING, type Position } from '../../../contracts/position';
import { WrongExpectedRevision } from '../../../contracts/ports/event-store';
import type { Handle } from '../../handle';
import { createMerchantOf, type MerchantOf } from '../merchant/known';
import { feeKind, type FeeCommand, type LeftOut } from './decider';
import { createHolders, type HeldDeps } from './held';

export interface FeeDeps extends HeldDeps {
  readonly handle: Handle;
  readonly calendar: Calendar;
}

interface FeesDone {
  /** In the order of the requests. */
  readonly results: readonly FeeResult[];
  /** Where a read has to be to see all of it. */
  readonly position: Position;
}

/**
 * Carries out requests at once, so that the event store commits them together; requests for one fee go one after the
 * other, in their order. A refused one leaves the others alone.
 */
export async function carryOutFees(
  deps: FeeDeps,
  requests: readonly FeeRequest[],
  metadata: CommandMetadata,
): Promise<FeesDone> {
  const latest = new Map<string, Promise<unknown>>();
  const lookUp: LookUp = { holderOf: createHolders(deps), merchantOf: createMerchantOf(deps.store) };
  const carryOut = async (request: FeeRequest, row: number) => {
    const command = await commandOf(request, deps.calendar, lookUp, ofRow(metadata, row));
    if (isRefusal(command)) return { refusal: command };
    return deps.handle(feeKind, feeStream(request.id), command).catch(conflict);
  };
  const outcomes = requests.map((request, row) => {
    const outcome = (latest.get(request.id) ?? Promise.resolve()).then(() => carryOut(request, row));
    latest.set(
      request.id,
      outcome.catch(() => undefined),
    );
    return outcome;
  });
  const settled = await Promise.allSettled(outcomes);

  let position = BEGINNING;
  const results = settled.map((each, index): FeeResult => {
    if (each.status === 'rejected') throw each.reason;
    const { id } = requests[index]!;
    const outcome = each.value;
    if (outcome.refusal) {
      const { status, code, detail } = outcome.refusal;
      return { id, result: 'refused', problem: { status, code, detail } };
    }
    position = Math.max(position, outcome.position);
    return { id, result: outcome.events.length > 0 ? 'recorded' : 'unchanged' };
  });
  return { results, position };
}

/** Each row is a command of its own, also where one fee has several. */
const ofRow = (metadata: CommandMetadata, row: number): CommandMetadata =>
  metadata['commandId'] === undefined
    ? metadata
    : { ...metadata, commandId: `${String(metadata['commandId'])}/${row}` };

/** What a command needs to know of other streams. */
interface LookUp {
  readonly holderOf: (feeId: string) => Promise<string | null>;
  readonly merchantOf: MerchantOf;
}

async function commandOf(
  request: FeeRequest,
  calendar: Calendar,
  { holderOf, merchantOf }: LookUp,
  metadata: CommandMetadata,
): Promise<FeeCommand | Refusal> {
  switch (request.action) {
    case 'collect':
    case 'waive':
      return { type: request.action, id: request.id, metadata };
    case 'reverse': {
      const heldBy = await holderOf(request.id);
      return { type: 'reverse', id: request.id, heldBy, day: calendar.dayOf(metadata.now), metadata };
    }
    default:
      return recordOf(request, calendar, merchantOf, metadata);
  }
}

const LEFT_OUT: readonly LeftOut[] = ['created_at', 'merchant_name', 'merchant_slug'];

/** What is left out is filled in as it is now, and stays so. */
async function recordOf(
  request: Extract<FeeRequest, { merchant_id: string }>,
  calendar: Calendar,
  merchantOf: MerchantOf,
  metadata: CommandMetadata,
): Promise<FeeCommand | Refusal> {
  const { action: _, collection_status: status, ...given } = request;
  const created_at = given.created_at ?? metadata.now;
  let { merchant_name, merchant_slug } = given;
  if (merchant_name === undefined || merchant_slug === undefined) {
    const merchant = await merchantOf(given.merchant_id);
    if (!merchant) return merchantUnknown(given.merchant_id);
    merchant_name ??= merchant.name;
    merchant_slug ??= merchant.slug;
  }
  const day = calendar.dayOf(created_at);
  return {
    type: 'record',
    facts: { ...given, merchant_name, merchant_slug, created_at, day, billing_period: periodOf(day) },
    status,
    leftOut: LEFT_OUT.filter(field => request[field] === undefined),
    metadata,
  };
}

const merchantUnknown = (merchantId: string): Refusal =>
  refuse(
    422,
    'merchant_unknown',
    `Nobody has named merchant ${merchantId}: give merchant_name and merchant_slug, or name it first.`,
    { merchantId },
  );

/** Others kept writing to the same fee: its row is refused and may be sent again. */
function conflict(error: unknown): { refusal: Refusal } {
  if (!(error instanceof WrongExpectedRevision)) throw error;
  const detail = 'Others were changing this fee at the same time; try again.';
  return { refusal: { refused: true, status: 409, code: 'version_conflict', detail } };
}
