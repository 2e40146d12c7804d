import { periodOf } from '../../../contracts/billing-period';
import type { Calendar } from '../../../contracts/calendar';
import type { CommandMetadata, Refusal } from '../../../contracts/decider';
import { feeStream } from '../../../contracts/events/fee';
import type { FeeResult } from '../../../contracts/http/billing-answers';
import type { FeeRequest } from '../../../contracts/http/billing-fees';
import { BEGINNING, type Position } from '../../../contracts/position';
import { WrongExpectedRevision } from '../../../infra/event-store/port';
import type { Handle } from '../../handle';
import { feeKind, type FeeCommand } from './decider';

export interface FeeDeps {
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
  { handle, calendar }: FeeDeps,
  requests: readonly FeeRequest[],
  metadata: CommandMetadata,
): Promise<FeesDone> {
  const latest = new Map<string, Promise<unknown>>();
  const outcomes = requests.map(request => {
    const command = commandOf(request, calendar, metadata);
    const outcome = (latest.get(request.id) ?? Promise.resolve()).then(() =>
      handle(feeKind, feeStream(request.id), command).catch(conflict),
    );
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

function commandOf(request: FeeRequest, calendar: Calendar, metadata: CommandMetadata): FeeCommand {
  if (request.action !== undefined && request.action !== 'record')
    return { type: request.action, id: request.id, metadata };
  const { action: _, collection_status: status, created_at, ...facts } = request;
  const createdAt = created_at ?? metadata.now;
  const day = calendar.dayOf(createdAt);
  return {
    type: 'record',
    facts: { ...facts, created_at: createdAt, day, billing_period: periodOf(day) },
    status,
    undated: created_at === undefined,
    metadata,
  };
}

/** Others kept writing to the same fee: its row is refused and may be sent again. */
function conflict(error: unknown): { refusal: Refusal } {
  if (!(error instanceof WrongExpectedRevision)) throw error;
  const detail = 'Others were changing this fee at the same time; try again.';
  return { refusal: { refused: true, status: 409, code: 'version_conflict', detail } };
}
