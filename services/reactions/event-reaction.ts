import type { Logger } from 'pino';
import { BEGINNING, type Position } from '../../contracts/position';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { persevere } from '../persevere';

/** What shall be done about events: calls to a partner, pushes to a device. Never done in a fold, always as a job. */
export interface Reaction {
  /** Its checkpoint is stored under it, so it stays the same. */
  readonly name: string;
  readonly categories: readonly string[];
  /** Where its first run ever begins: with all history, or with what happens from then on. */
  readonly from: 'beginning' | 'now';
  /**
   * The jobs an event asks for, by the event alone or by a look at the event store besides; never with an effect of its
   * own. The ids follow from the event, since an event may be delivered again.
   */
  jobs(event: RecordedEvent): readonly NewJob[] | Promise<readonly NewJob[]>;
}

export interface ReactionDeps {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Milliseconds for which a job that is done is remembered, so that an event delivered again starts it not again. */
export const REMEMBERED = 86_400_000;

/**
 * Turns events into jobs until the signal. The checkpoint moves once the jobs are durable, so a crash in between asks
 * for them again, which changes nothing. Two runners of one reaction do each other no harm for the same reason.
 * An error, also of the reaction itself, holds the reaction up and is tried again: no event is passed over.
 */
export function runReaction(deps: ReactionDeps, reaction: Reaction, signal: AbortSignal): Promise<void> {
  return persevere(
    signal,
    onProgress => react(deps, reaction, signal, onProgress),
    error => {
      // Another runner of the same reaction was faster.
      if (error instanceof CheckpointMoved) return;
      deps.logger.error({ reaction: reaction.name, error }, 'reaction will retry');
    },
  );
}

const checkpointOf = (reaction: string): string => `reaction/${reaction}`;

async function positionOf(documents: Documents, reaction: string): Promise<Position | null> {
  const stored = await documents.checkpoint(checkpointOf(reaction));
  return stored && 'position' in stored ? stored.position : null;
}

async function react(
  { store, documents, jobs }: ReactionDeps,
  reaction: Reaction,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> {
  const { name, categories, from } = reaction;
  let reached = await positionOf(documents, name);
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
    for (const event of events)
      for (const job of await reaction.jobs(event)) await jobs.add({ keep: REMEMBERED, ...job });
    await moveTo(position);
    onProgress();
  }
}

/** Position up to which a reaction has asked for its jobs, and how many positions it is behind; for metrics. */
export async function reactionStatus(
  { store, documents }: Pick<ReactionDeps, 'store' | 'documents'>,
  { name, categories }: Reaction,
): Promise<{ readonly name: string; readonly position: Position | null; readonly lag: number }> {
  const position = await positionOf(documents, name);
  const after = position ?? BEGINNING;
  const head = await store.head();
  for await (const events of store.readAll({ after, categories, limit: 1 }))
    if (events.length > 0) return { name, position, lag: head - after };
  return { name, position, lag: 0 };
}
