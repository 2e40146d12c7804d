import { randomUUID } from 'node:crypto';
import { auditEvents, auditStream, type AuditEvent, type CallAudited } from '../../contracts/events/audit';
import type { Problem } from '../../contracts/problem/problem';
import type { EventStore } from '../../contracts/ports/event-store';

/** The audit trail of an instance. */
export interface AuditPlace {
  readonly store: Pick<EventStore, 'append'>;
  readonly instanceId: string;
}

/** Appends an event to the trail. @param at RFC 3339 UTC instant: the trail of that day */
export async function writeAudit(
  { store, instanceId }: AuditPlace,
  event: AuditEvent,
  at: string,
): Promise<void> {
  await store.append(auditStream(instanceId, at.slice(0, 10)), 'any', [
    auditEvents.write(event, randomUUID(), {}),
  ]);
}

export function outcomeOf({ status }: Problem): CallAudited['outcome'] {
  return status >= 500 ? 'failed' : 'refused';
}
