import {
  AUDIT_CATEGORY,
  auditEvents,
  auditStream,
  type AuditEvent,
  type CallAudited,
  type CommandAudited,
} from '../../contracts/events/audit';
import { dayAfter, type Day } from '../../contracts/billing-period';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { PersonalTexts } from '../personal-text';

export interface AuditQuery {
  /** Days in UTC, both included; without them, from the beginning and to the end. */
  readonly from?: Day;
  readonly to?: Day;
  readonly actor?: string;
  readonly action?: string;
}

type Decrypted<Entry> = Omit<Entry, 'address'> & { readonly address: string | null };

/** A line of the trail. `address` is null once it was erased; a counted line represents `count` refusals from `from` to `at`. */
export type AuditLine =
  | (Decrypted<CallAudited> & { readonly kind: 'call' })
  | (CommandAudited & { readonly kind: 'command' })
  | {
      readonly kind: 'counted';
      readonly from: string;
      readonly at: string;
      readonly action: string | null;
      readonly actor: string | null;
      readonly address: string | null;
      readonly status: number | null;
      readonly code: string | null;
      readonly count: number;
    };

/** Reads the trail, oldest line first, page by page. */
export async function* readAuditTrail(
  { store, texts }: { readonly store: EventStore; readonly texts: PersonalTexts },
  instanceId: string,
  query: AuditQuery,
): AsyncIterable<AuditLine> {
  for await (const recorded of recordedOf(store, instanceId, query))
    for await (const line of linesOf(auditEvents.read(recorded), texts)) if (matches(line, query)) yield line;
}

async function* recordedOf(
  store: EventStore,
  instanceId: string,
  { from, to }: AuditQuery,
): AsyncIterable<RecordedEvent> {
  if (from !== undefined && to !== undefined && daysBetween(from, to) <= MAX_STREAMS) {
    for (let day = from; day <= to; day = dayAfter(day))
      yield* store.readStream(auditStream(instanceId, day));
    return;
  }
  const prefix = auditStream(instanceId, '');
  for await (const batch of store.readAll({ categories: [AUDIT_CATEGORY] }))
    for (const recorded of batch) {
      const day = recorded.stream.startsWith(prefix) ? recorded.stream.slice(prefix.length) : null;
      if (day !== null && (from === undefined || day >= from) && (to === undefined || day <= to))
        yield recorded;
    }
}

/** For a longer range one read of all streams is cheaper than one read a day. */
const MAX_STREAMS = 366;
const DAY_MS = 86_400_000;

const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

async function* linesOf(event: AuditEvent, texts: PersonalTexts): AsyncIterable<AuditLine> {
  if (event.type === 'CallAudited') {
    const { address, ...call } = event.data;
    yield { kind: 'call', ...call, address: await texts.decrypt(address) };
    return;
  }
  if (event.type === 'CommandAudited') {
    yield { kind: 'command', ...event.data };
    return;
  }
  const { from, to: at, counts, others } = event.data;
  const addresses = await texts.decryptAll(counts.map(({ address }) => address));
  for (const [index, counted] of counts.entries())
    yield { kind: 'counted', from, at, ...counted, address: addresses[index] ?? null };
  const nobody = { action: null, actor: null, address: null, status: null, code: null };
  if (others > 0) yield { kind: 'counted', from, at, ...nobody, count: others };
}

const matches = (line: AuditLine, { actor, action }: AuditQuery): boolean =>
  (actor === undefined || line.actor === actor) && (action === undefined || line.action === action);
