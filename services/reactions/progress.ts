import { BEGINNING } from '../../contracts/position';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Log } from '../../contracts/ports/log';
import type { StoredProgress } from '../../contracts/engine/stored-progress';
import { moveReaction, reactionPosition, type Reaction } from './event-reaction';
import { lowerStartOffsets, startOffsets, type MessageReaction } from './message-reaction';

/** How far the reactions have got, or where they began in the log: from there on the log has their offsets itself. */
export async function reactionProgress(
  { documents, log }: { readonly documents: Documents; readonly log: Pick<Log, 'endOffsets'> },
  reactions: readonly (Reaction | MessageReaction)[],
): Promise<StoredProgress[]> {
  const progress: StoredProgress[] = [];
  for (const reaction of reactions) {
    const reader = `the reaction ${reaction.name}`;
    if ('topics' in reaction)
      for (const { topic, partition, offset } of await startOffsets({ documents, log }, reaction))
        progress.push({ reader, partition: { topic, partition }, seen: offset - 1 });
    else {
      const seen = (await reactionPosition(documents, reaction.name)) ?? BEGINNING;
      progress.push({ reader, partition: null, seen });
    }
  }
  return progress;
}

/**
 * Lets reactions that were beyond the end of their source, because it has lost data, continue from there. None may run
 * meanwhile.
 */
export async function lowerReactions(
  {
    store,
    ...engines
  }: {
    readonly store: Pick<EventStore, 'end'>;
    readonly documents: Documents;
    readonly log: Pick<Log, 'endOffsets'>;
  },
  reactions: readonly (Reaction | MessageReaction)[],
): Promise<void> {
  const end = await store.end();
  for (const reaction of reactions)
    if ('topics' in reaction) await lowerStartOffsets(engines, reaction);
    else if (((await reactionPosition(engines.documents, reaction.name)) ?? BEGINNING) > end)
      await moveReaction(engines.documents, reaction.name, end);
}
