import type { Logger } from 'pino';
import { BEGINNING, type Position } from '../../contracts/position';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { retryForever, sleep } from '../../contracts/retry/retry';
import { untilNextMs } from '../../contracts/time/until-next';

/** A side effect of events, such as a call to a partner or a push to a device: never part of a fold, always a job. */
export interface Reaction {
  /** Its checkpoint is stored under it, so it stays the same. */
  readonly name: string;
  readonly categories: readonly string[];
  /** Where its very first run starts: at the beginning of history, or at the head. */
  readonly from: 'beginning' | 'now';
  /**
   * The jobs for an event. May read the event store, must have no side effect. Job ids are derived from the event, since
   * an event may be delivered again.
   */
  jobs(event: RecordedEvent): readonly NewJob[] | Promise<readonly NewJob[]>;
}

export interface ReactionDeps {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** An event that comes alone is reacted to at once, and those of a burst together, by all reactions at the same time. */
const BATCH_INTERVAL_MS = 50;

/** How long a completed job is kept, so that an event that is delivered again does not run it twice. */
export const JOB_RETENTION_MS = 86_400_000;

/**
 * Turns events into jobs until the signal. The checkpoint moves once the jobs are durable: after a crash in between they
 * are enqueued again, which changes nothing. For the same reason two programs may run one reaction.
 * Any error, also of the reaction itself, is retried: no event is skipped.
 */
export function runReaction(deps: ReactionDeps, reaction: Reaction, signal: AbortSignal): Promise<void> {
  return retryForever(onProgress => react(deps, reaction, signal, onProgress), {
    signal,
    onError(error) {
      // Another runner of the same reaction was faster.
      if (error instanceof CheckpointMoved) return;
      deps.logger.error({ reaction: reaction.name, err: error }, 'reaction failed, retrying');
    },
  });
}

const checkpointOf = (reaction: string): string => `reaction/${reaction}`;

/** The position up to which a reaction has enqueued its jobs; null before its first start. */
export async function reactionPosition(documents: Documents, reaction: string): Promise<Position | null> {
  const stored = await documents.checkpoint(checkpointOf(reaction));
  return stored && 'position' in stored ? stored.position : null;
}

/** Sets the position of a reaction that does not run. */
export async function moveReaction(
  documents: Pick<Documents, 'commit'>,
  reaction: string,
  position: Position,
): Promise<void> {
  await documents.commit({ writes: [], checkpoint: { name: checkpointOf(reaction), value: { position } } });
}

async function react(
  { store, documents, jobs }: ReactionDeps,
  reaction: Reaction,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> {
  const { name, categories, from } = reaction;
  let reached = await reactionPosition(documents, name);
  const moveTo = async (position: Position): Promise<void> => {
    const expect = reached === null ? null : { position: reached };
    await documents.commit({
      writes: [],
      checkpoint: { name: checkpointOf(name), value: { position }, expect },
    });
    reached = position;
  };
  if (reached === null) await moveTo(from === 'now' ? await store.head() : BEGINNING);

  for await (const { events, position } of store.subscribe({ after: reached!, categories, signal })) {
    if (events.length === 0) continue;
    // Not one by one: the engine makes durable together what it is given together.
    const adding: Promise<boolean>[] = [];
    try {
      for (const event of events)
        for (const job of await reaction.jobs(event)) {
          const added = jobs.add({ keepIdMs: JOB_RETENTION_MS, ...job });
          added.catch(() => undefined); // it is awaited below
          adding.push(added);
        }
    } finally {
      await Promise.all(adding);
    }
    await moveTo(position);
    onProgress();
    await sleep(untilNextMs(BATCH_INTERVAL_MS), signal);
  }
}

/** Position up to which a reaction has enqueued its jobs, and how many positions it is behind; for metrics. */
export async function reactionStatus(
  { store, documents }: Pick<ReactionDeps, 'store' | 'documents'>,
  { name, categories }: Reaction,
): Promise<{ readonly name: string; readonly position: Position | null; readonly lag: number }> {
  const position = await reactionPosition(documents, name);
  const after = position ?? BEGINNING;
  const head = await store.head();
  for await (const events of store.readAll({ after, categories, limit: 1 }))
    if (events.length > 0) return { name, position, lag: head - after };
  return { name, position, lag: 0 };
}

/** Every job that the reaction derives from the events recorded so far. */
export async function* jobsOfEvents(
  store: Pick<EventStore, 'readAll'>,
  { categories, jobs }: Reaction,
): AsyncIterable<NewJob> {
  for await (const events of store.readAll({ categories }))
    for (const event of events) yield* await jobs(event);
}
