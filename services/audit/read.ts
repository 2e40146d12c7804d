import {
  AUDIT_CATEGORY,
  auditEvents,
  auditStream,
  type AuditEvent,
  type CallAudited,
  type CommandAudited,
} from '../../contracts/events/audit';
import { daysOf, type Day } from '../../contracts/time/billing-period';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { PersonalTexts } from '../personal-texts/personal-text';

export interface AuditQuery {
  /** Days in UTC, both included; without them, from the beginning and to the end. */
  readonly from?: Day;
  readonly to?: Day;
  readonly actor?: string;
  readonly action?: string;
}

type Decrypted<Entry> = Omit<Entry, 'address'> & { readonly address: string | null };

/**
 * A line of the trail. `address` is null once it was erased; a counted line represents `count` refusals from `from` to `at`.
 */
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

interface ReadDeps {
  readonly store: EventStore;
  readonly texts: PersonalTexts;
}

/** Events that one page reads at most, whatever it finds. */
const MAX_PAGE_EVENTS = 5_000;

/**
 * A page of the trail, oldest line first, and where the next one begins; null after the last.
 * @param start the `next` of the page before; null for the first one
 */
export async function readAuditPage(
  { store, texts }: ReadDeps,
  instanceId: string,
  query: AuditQuery & { readonly from: Day; readonly to: Day },
  start: AuditPlace | null,
  pageSize: number,
): Promise<{ readonly lines: readonly AuditLine[]; readonly next: AuditPlace | null }> {
  const lines: AuditLine[] = [];
  let left = MAX_PAGE_EVENTS;
  for (const day of daysOf(start?.day ?? query.from, query.to)) {
    const first = start?.day === day ? start : { day, revision: 0, line: 0 };
    const events = store.readStream(auditStream(instanceId, day), { from: first.revision, limit: left + 1 });
    for await (const recorded of events) {
      const { revision } = recorded;
      if (left-- === 0) return { lines, next: { day, revision, line: 0 } };
      let line = 0;
      for await (const each of linesOf(auditEvents.read(recorded), texts, query)) {
        const place = { day, revision, line: line++ };
        if (revision === first.revision && place.line < first.line) continue;
        if (lines.length === pageSize) return { lines, next: place };
        lines.push(each);
      }
    }
  }
  return { lines, next: null };
}

/** A line of the trail: that of an event of a day. */
interface AuditPlace {
  readonly day: Day;
  readonly revision: number;
  readonly line: number;
}

/** Reads the trail, oldest line first, page by page. */
export async function* readAuditTrail(
  { store, texts }: ReadDeps,
  instanceId: string,
  query: AuditQuery,
): AsyncIterable<AuditLine> {
  for await (const recorded of recordedOf(store, instanceId, query))
    yield* linesOf(auditEvents.read(recorded), texts, query);
}

async function* recordedOf(
  store: EventStore,
  instanceId: string,
  { from, to }: AuditQuery,
): AsyncIterable<RecordedEvent> {
  if (from !== undefined && to !== undefined && daysBetween(from, to) <= MAX_STREAMS) {
    for (const day of daysOf(from, to)) yield* store.readStream(auditStream(instanceId, day));
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

/** The matching lines of an event. Only their addresses are decrypted. */
async function* linesOf(
  event: AuditEvent,
  texts: PersonalTexts,
  query: AuditQuery,
): AsyncIterable<AuditLine> {
  const isMatching = (line: { readonly actor: string | null; readonly action: string | null }): boolean =>
    matches(line, query);
  if (event.type === 'CallAudited') {
    const { address, ...call } = event.data;
    if (isMatching(call)) yield { kind: 'call', ...call, address: await texts.decrypt(address) };
    return;
  }
  if (event.type === 'CommandAudited') {
    if (isMatching(event.data)) yield { kind: 'command', ...event.data };
    return;
  }
  const { from, to: at, others } = event.data;
  const counts = event.data.counts.filter(isMatching);
  const addresses = await texts.decryptAll(counts.map(({ address }) => address));
  for (const [index, counted] of counts.entries())
    yield { kind: 'counted', from, at, ...counted, address: addresses[index] ?? null };
  const nobody = { action: null, actor: null, address: null, status: null, code: null };
  if (others > 0 && isMatching(nobody)) yield { kind: 'counted', from, at, ...nobody, count: others };
}

const matches = (
  line: { readonly actor: string | null; readonly action: string | null },
  { actor, action }: AuditQuery,
): boolean =>
  (actor === undefined || line.actor === actor) && (action === undefined || line.action === action);
