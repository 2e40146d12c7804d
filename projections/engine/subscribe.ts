import type { Documents } from '../../contracts/ports/documents';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { physicalName } from './generation';
import type { ReadGenerations } from './read-generations';

/** Subscribes to a collection in the generation that is read, across switches. @returns a function that unsubscribes */
export function subscribeTo(
  documents: Pick<Documents, 'subscribe'>,
  generations: Pick<ReadGenerations, 'get' | 'peek' | 'onSwitch'>,
  projection: string,
  collection: string,
  onChange: (parts: ChangedParts) => void,
): () => void {
  let unsubscribe = (): void => undefined;
  const follow = (): void => {
    unsubscribe();
    const generation = generations.peek(projection);
    if (generation)
      unsubscribe = documents.subscribe(physicalName(collection, generation.generation), onChange);
  };
  follow();
  // Of what changed in the new generation before the switch nobody was notified.
  const stop = generations.onSwitch(projection, () => {
    follow();
    onChange(null);
  });
  // Loads the generation; an error is thrown by the reads themselves.
  generations.get(projection).catch(() => undefined);
  return () => {
    stop();
    unsubscribe();
  };
}
