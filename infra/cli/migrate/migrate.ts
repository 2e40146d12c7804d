import type { Engines } from '../../engines/engines';
import { TOPICS } from '../../program/features';
import { TargetNotEmpty, copyProgress } from './copy-task';
import { digestEvents, digestTopic, type Digest, type OnProgress } from './digest';
import { copyEvents } from './events';
import { copyIndexers } from './indexers';
import { copySubjectKeys } from './subject-keys';
import { copyPartition } from './topics';

/** A digest of one part on both sides. */
export interface Comparison {
  readonly name: string;
  readonly from: Digest;
  readonly to: Digest;
  readonly equal: boolean;
}

export interface MigrationReport {
  readonly compared: readonly Comparison[];
  /** Documents with the state of the indexers. */
  readonly indexers: number;
  /** People whose texts are encrypted, or were until they were erased. */
  readonly subjects: number;
  readonly equal: boolean;
}

export interface MigrationOptions {
  readonly signal: AbortSignal;
  onProgress(step: string, done: number, total: number): void;
}

/**
 * Copies everything that cannot be folded again: events, the log and, where the target has these events and no others, the state of
 * the indexers and the keys of personal texts; then compares both sides. An interrupted migration continues when it is run again.
 * Nothing else may run on either side. The first program on the target builds the projections; jobs are enqueued again from their events.
 *
 * @throws TargetNotEmpty
 */
export async function migrate(
  from: Engines,
  to: Engines,
  { signal, onProgress }: MigrationOptions,
): Promise<MigrationReport> {
  await assertEmptyOrStarted(to);
  const events = await digestEventsOf(from, 'events, counted', 0);
  await copyEvents({
    from: from.store,
    to: to.store,
    progress: copyProgress(to.documents, 'events'),
    signal,
    onProgress: done => onProgress('events', done, events.count),
  });

  await from.log.declare(TOPICS);
  await to.log.declare(TOPICS);
  for (const { name: topic } of TOPICS) {
    const ends = await from.log.endOffsets(topic);
    for (const [partition, total] of ends.entries())
      await copyPartition(
        {
          from: from.log,
          to: to.log,
          progress: copyProgress(to.documents, `${topic}/${partition}`),
          signal,
          onProgress: done => onProgress(`${topic}/${partition}`, done, total),
        },
        topic,
        partition,
      );
  }
  const copiedEvents = equality('events', events, await digestEventsOf(to, 'events, compared', events.count));
  // These replace what is there: on a target that is in use, which has more events, erased keys would come back.
  const isCopy = copiedEvents.equal;
  const indexers = isCopy ? await copyIndexers(from.documents, to.documents, signal) : 0;
  const subjects = isCopy ? await copySubjectKeys(from.vault, to.vault, signal) : 0;

  const compared = [
    copiedEvents,
    ...(await inTurn(TOPICS, async ({ name }) =>
      equality(name, await digestTopicOf(from, name), await digestTopicOf(to, name)),
    )),
  ];
  return { compared, indexers, subjects, equal: compared.every(({ equal }) => equal) };

  function digestEventsOf(side: Engines, step: string, total: number): Promise<Digest> {
    const tick: OnProgress = done => {
      signal.throwIfAborted();
      onProgress(step, done, Math.max(total, done));
    };
    return digestEvents(side.store, tick);
  }
}

const digestTopicOf = ({ log }: Engines, topic: string): Promise<Digest> =>
  digestTopic(log, topic, () => undefined);

const equality = (name: string, from: Digest, to: Digest): Comparison => ({
  name,
  from,
  to,
  equal: from.sha256 === to.sha256,
});

async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The target is empty, or this migration has started on it. */
async function assertEmptyOrStarted({ store, documents }: Engines): Promise<void> {
  if (await copyProgress(documents, 'events').load()) return;
  for await (const [event] of store.readAll({ limit: 1 }))
    if (event) throw new TargetNotEmpty(`the target's event store holds events already (${event.stream})`);
  await copyProgress(documents, 'events').store({ events: -1, copied: 0 });
}
