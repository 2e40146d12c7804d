import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { sleep } from '../../contracts/retry/retry';
import { encryptedTextsIn } from '../../contracts/text/personal-text';
import {
  changeKey,
  dayOf,
  ERASURE_KEYS,
  type KeyDocument,
  readKey,
  type StoredKey,
} from '../personal-texts/key-documents';
import type { AgingSubjects, Retention } from './retention';

export interface UnusedKeysDeps {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly vault: Documents;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'info'>;
}

/** The keys of subjects whose texts all have an age. */
export interface AgingKeys {
  readonly subjects: AgingSubjects;
  /** Where their texts are. */
  readonly categories: readonly string[];
  /** The longest age of their texts. */
  readonly days: number;
}

const DAY_MS = 86_400_000;
/** A text is recorded after its key was used; the keys may be restored from an older backup than the events. */
export const MARGIN_DAYS = 30;
const PAGE_SIZE = 500;
/** Keys for which the events are read once. */
const MAX_CANDIDATES = 10_000;

/** The keys that go with retentions. @param daysOf a retention; 0 keeps its texts, and so the keys */
export function agingKeysOf(
  retentions: readonly Retention[],
  daysOf: (retention: Retention) => number,
): readonly AgingKeys[] {
  const withTexts = retentions.filter(({ textsOf }) => textsOf !== undefined);
  return [...new Set(withTexts.map(({ textsOf }) => textsOf!))].flatMap(subjects => {
    const theirs = withTexts.filter(({ textsOf }) => textsOf === subjects);
    const days = theirs.map(daysOf);
    if (days.includes(0)) return [];
    return { subjects, categories: theirs.map(({ category }) => category), days: Math.max(...days) };
  });
}

/**
 * Deletes the keys that were not used for longer than any of their texts stays, but for those of texts that stay nevertheless: what is
 * left of events so old has them. A text is encrypted after the day of use was recorded, and a key is deleted only as it was read:
 * so none is lost that is used meanwhile. Several processes may do this at a time, and one that was killed is repeated.
 * @returns how many were deleted
 * @throws EngineUnavailable, DamagedData
 */
export async function deleteUnusedKeys(
  deps: Omit<UnusedKeysDeps, 'logger'>,
  keys: AgingKeys,
  signal: AbortSignal,
): Promise<number> {
  const { vault, clock } = deps;
  const today = dayOf(clock());
  const unusedBefore = dayOf(new Date(clock().getTime() - (keys.days + MARGIN_DAYS) * DAY_MS));
  await vault.declare([ERASURE_KEYS]);

  let deleted = 0;
  let candidates = new Set<string>();
  const decide = async (): Promise<void> => {
    const needed = await subjectsIn(deps, keys, candidates, signal);
    for (const subject of candidates) {
      signal.throwIfAborted();
      const stored = await readKey(vault, subject);
      if (!isUnused(stored, unusedBefore)) continue;
      const next = needed.has(subject) ? { ...stored.document!, usedAt: today } : null;
      if ((await changeKey(vault, subject, stored, next)) && !next) deleted += 1;
    }
    candidates = new Set();
  };

  const ofSubjects = { filter: { _id: rangeOf(keys.subjects) }, limit: PAGE_SIZE };
  for await (const page of vault.scan<KeyDocument>(ERASURE_KEYS.name, ofSubjects)) {
    for (const document of page) {
      signal.throwIfAborted();
      const { _id: subject, key, usedAt } = document;
      if (key && usedAt === undefined) await recordUse(vault, subject, today);
      else if (isUnused({ document }, unusedBefore)) candidates.add(subject);
    }
    if (candidates.size >= MAX_CANDIDATES) await decide();
  }
  if (candidates.size > 0) await decide();
  return deleted;
}

/** Ids that begin with a prefix. */
function rangeOf(prefix: string): { readonly gte: string; readonly lt: string } {
  const last = prefix.length - 1;
  return { gte: prefix, lt: prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1) };
}

/** What was destroyed before must stay known to be so: its document is not deleted. */
function isUnused({ document }: Pick<StoredKey, 'document'>, before: string): boolean {
  if (!document?.key || document.changes !== 1) return false;
  return typeof document.usedAt === 'string' && document.usedAt < before;
}

/** From when on a key is unused that has no day yet. */
async function recordUse(vault: Documents, subject: string, today: string): Promise<void> {
  const stored = await readKey(vault, subject);
  const { document } = stored;
  // Where another writer was faster, it has recorded a day.
  if (document?.key && document.usedAt === undefined)
    await changeKey(vault, subject, stored, { ...document, usedAt: today });
}

/** Those of the subjects that have a text in events that are older than the ages. */
async function subjectsIn(
  { store, clock }: Pick<UnusedKeysDeps, 'store' | 'clock'>,
  { categories, days }: AgingKeys,
  subjects: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const until = clock().getTime() - days * DAY_MS;
  for await (const page of store.readAll({ categories }))
    for (const event of page) {
      signal.throwIfAborted();
      if (Date.parse(event.created) > until) return found;
      const theirs = encryptedTextsIn(event.data).filter(({ subject }) => subjects.has(subject));
      if (theirs.length > 0 && (await isLeft(store, event)))
        for (const { subject } of theirs) found.add(subject);
    }
  return found;
}

/** The global order may have an event for some time after it was deleted. */
async function isLeft(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision, id }: RecordedEvent,
): Promise<boolean> {
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) return event.id === id;
  return false;
}

/** Deletes keys that are not used any more, once a day, until the signal. */
export async function keepDeletingUnusedKeys(
  deps: UnusedKeysDeps,
  keys: AgingKeys,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const deleted = await deleteUnusedKeys(deps, keys, signal);
      if (deleted > 0) deps.logger.info({ subjects: keys.subjects, keys: deleted }, 'unused keys deleted');
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    await sleep(DAY_MS, signal);
  }
}
