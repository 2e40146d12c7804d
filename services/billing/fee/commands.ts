import { periodOf } from '../../../contracts/time/billing-period';
import type { Calendar } from '../../../contracts/time/calendar';
import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { ERRORS } from '../../../contracts/problem/errors';
import { feeStream } from '../../../contracts/events/fee';
import type { FeeResult } from '../../../contracts/http/billing/responses';
import type { FeeRequest } from '../../../contracts/http/billing/fees';
import { BEGINNING, type Position } from '../../../contracts/position';
import { WrongExpectedRevision, type EventStore } from '../../../contracts/ports/event-store';
import { newStream } from '../../commands/stream-kind';
import type { Handle } from '../../commands/handle';
import { createMerchantLookup, type MerchantLookup } from '../merchant/lookup';
import { feeKind, type FeeCommand, type OmittedField } from './decider';
import { createInvoiceLookup, type InvoiceLookupDeps } from './invoiced-by';

export interface FeeDeps extends InvoiceLookupDeps {
  readonly store: Pick<EventStore, 'readStream' | 'head'>;
  readonly handle: Handle;
  readonly calendar: Calendar;
}

interface FeesResult {
  /** In the order of the requests. */
  readonly results: readonly FeeResult[];
  /** The position from which reads show what the results say: also that of what a row was refused for. */
  readonly position: Position;
}

/**
 * Executes requests concurrently, so that the event store commits them together. Requests for the same fee are executed in
 * order, and so are those that name a merchant differently, since its latest name is shown. A refused one does not affect
 * the others.
 */
export async function executeFees(
  deps: FeeDeps,
  requests: readonly FeeRequest[],
  metadata: CommandMetadata,
): Promise<FeesResult> {
  const latest = new Map<string, Promise<unknown>>();
  const lookUp: LookUp = {
    invoiceOf: createInvoiceLookup(deps),
    merchantOf: createMerchantLookup(deps.store),
  };
  const prepare = (request: FeeRequest, row: number) =>
    commandOf(request, deps.calendar, lookUp, ofRow(metadata, row));
  // A reversal depends on what earlier rows do to its fee.
  const prepared = await Promise.all(
    requests.map((request, row) => (request.action === 'reverse' ? null : prepare(request, row))),
  );
  const execute = async (request: FeeRequest, row: number) => {
    const command = prepared[row] ?? (await prepare(request, row));
    // What is recorded is nearly always new.
    const known = command.type === 'record' ? newStream(feeKind) : undefined;
    return deps.handle(feeKind, feeStream(request.id), command, known).catch(conflict);
  };
  const namingOf = createNamings();
  const outcomes = requests.map((request, row) => {
    const naming = namingOf(prepared[row] ?? null);
    const outcome = Promise.all([latest.get(request.id), naming?.before]).then(() => execute(request, row));
    const done = outcome.catch(() => undefined);
    latest.set(request.id, done);
    naming?.rows.push(done);
    return outcome;
  });
  const settled = await Promise.allSettled(outcomes);

  let position = BEGINNING;
  const results = settled.map((each, index): FeeResult => {
    if (each.status === 'rejected') throw each.reason;
    const { id } = requests[index]!;
    const outcome = each.value;
    if (outcome.refusal) {
      const { code, detail } = outcome.refusal;
      return { id, result: 'refused', problem: { status: ERRORS[code].status, code, detail } };
    }
    position = Math.max(position, outcome.position);
    return { id, result: outcome.events.length > 0 ? 'recorded' : 'unchanged' };
  });
  // A refused row has no event; what it was refused for is in the store by now.
  if (results.some(({ result }) => result === 'refused'))
    position = Math.max(position, await deps.store.head());
  return { results, position };
}

/** Consecutive rows of a merchant that give it the same name. */
interface Naming {
  readonly names: string;
  /** When the rows that gave it another name before are done. */
  readonly before: Promise<unknown>;
  readonly rows: Promise<unknown>[];
}

function createNamings(): (command: FeeCommand | null) => Naming | null {
  const latest = new Map<string, Naming>();
  return command => {
    if (command?.type !== 'record') return null;
    const { merchant_id, merchant_name, merchant_slug } = command.facts;
    const names = JSON.stringify([merchant_name, merchant_slug]);
    const last = latest.get(merchant_id);
    if (last?.names === names) return last;
    const naming = { names, before: Promise.all(last?.rows ?? []), rows: [] };
    latest.set(merchant_id, naming);
    return naming;
  };
}

/** Several rows may be of one fee, so each has its own command id. */
const ofRow = (metadata: CommandMetadata, row: number): CommandMetadata =>
  metadata['commandId'] === undefined
    ? metadata
    : { ...metadata, commandId: `${String(metadata['commandId'])}/${row}` };

/** Reads of other streams. */
interface LookUp {
  readonly invoiceOf: (feeId: string) => Promise<string | null>;
  readonly merchantOf: MerchantLookup;
}

async function commandOf(
  request: FeeRequest,
  calendar: Calendar,
  { invoiceOf, merchantOf }: LookUp,
  metadata: CommandMetadata,
): Promise<FeeCommand> {
  switch (request.action) {
    case 'collect':
    case 'waive':
      return { type: request.action, id: request.id, metadata };
    case 'reverse': {
      const invoicedBy = await invoiceOf(request.id);
      return { type: 'reverse', id: request.id, invoicedBy, day: calendar.dayOf(metadata.now), metadata };
    }
    default:
      return recordOf(request, calendar, merchantOf, metadata);
  }
}

const OMITTABLE: readonly OmittedField[] = ['created_at', 'merchant_name', 'merchant_slug'];

/** Omitted fields of a new fee get their current values, which do not change afterwards. */
async function recordOf(
  request: Extract<FeeRequest, { merchant_id: string }>,
  calendar: Calendar,
  merchantOf: MerchantLookup,
  metadata: CommandMetadata,
): Promise<FeeCommand> {
  const { action: _, collection_status: status, ...given } = request;
  const created_at = given.created_at ?? metadata.now;
  const isNamed = given.merchant_name !== undefined && given.merchant_slug !== undefined;
  const merchant = isNamed ? null : await merchantOf(given.merchant_id);
  const merchant_name = given.merchant_name ?? merchant?.name ?? null;
  const merchant_slug = given.merchant_slug ?? merchant?.slug ?? null;
  const day = calendar.dayOf(created_at);
  return {
    type: 'record',
    facts: { ...given, merchant_name, merchant_slug, created_at, day, billing_period: periodOf(day) },
    status,
    omitted: OMITTABLE.filter(field => request[field] === undefined),
    metadata,
  };
}

/** Repeated version conflicts: the row is refused and may be sent again. */
function conflict(error: unknown): { refusal: Refusal } {
  if (!(error instanceof WrongExpectedRevision)) throw error;
  const detail = 'The fee was changed concurrently; try again.';
  return { refusal: refuse('version_conflict', detail) };
}
