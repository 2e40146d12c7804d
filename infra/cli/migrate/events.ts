import {
  AppendTooLarge,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
  type RecordedEvent,
} from '../../../contracts/ports/event-store';
import type { CopyTask } from './copy-task';

/** Progress is stored after so many events, and those of one append. */
const STORE_INTERVAL = 1_000;
const MAX_RUN = 1_000;

/**
 * Copies all events with their ids, in their global order: one append after the other, since only an acknowledged append has its
 * place. Revisions stay, but in streams whose first events are deleted. The engine itself records the time, so the copies have the
 * time of copying.
 */
export async function copyEvents({
  from,
  to,
  progress,
  signal,
  onProgress,
}: CopyTask<EventStore>): Promise<void> {
  const stored = await progress.load();
  let after = stored?.['events'] ?? -1;
  let copied = stored?.['copied'] ?? 0;
  let unstored = 0;
  const present = await newestEvents(to, STORE_INTERVAL + MAX_RUN);
  const store = async (): Promise<void> => {
    await progress.store({ events: after, copied });
    unstored = 0;
  };
  for await (const page of from.readAll({ after })) {
    const missing = page.filter(event => !present.has(identityOf(event)));
    copied += page.length - missing.length;
    for (const run of runsOf(missing)) {
      signal.throwIfAborted();
      await copyRun(to, run);
      after = run.at(-1)!.position;
      copied += run.length;
      unstored += run.length;
      if (unstored >= STORE_INTERVAL) await store();
      onProgress(copied);
    }
  }
  await store();
}

/**
 * The newest events of the target, among them all that were copied since the progress was stored. To append one again does not
 * show that it is there: in a stream whose first events are deleted, the revision that it had may be the next one.
 */
async function newestEvents(to: EventStore, limit: number): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const page of to.readAll({ direction: 'backwards', limit }))
    for (const event of page) found.add(identityOf(event));
  return found;
}

const identityOf = ({ stream, id }: RecordedEvent): string => `${stream}/${id}`;

/** Consecutive events of one stream, which can be appended together. */
function* runsOf(page: readonly RecordedEvent[]): Generator<readonly RecordedEvent[]> {
  let run: RecordedEvent[] = [];
  for (const event of page) {
    if (run.length === MAX_RUN || (run.length > 0 && run[0]!.stream !== event.stream)) {
      yield run;
      run = [];
    }
    run.push(event);
  }
  if (run.length > 0) yield run;
}

async function copyRun(to: EventStore, run: readonly RecordedEvent[]): Promise<void> {
  try {
    await append(to, run);
  } catch (error) {
    // The first events of the stream are deleted, or together these are too large.
    const isApart = error instanceof WrongExpectedRevision || error instanceof AppendTooLarge;
    if (!isApart || (run.length === 1 && error instanceof AppendTooLarge)) throw error;
    for (const event of run) await copyEvent(to, event);
  }
}

/** Of a stream whose first events are deleted, an event has another revision at the target: it follows what is there. */
async function copyEvent(to: EventStore, event: RecordedEvent): Promise<void> {
  try {
    await append(to, [event]);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision) || event.revision === 0) throw error;
    let last: ExpectedRevision = 'no_stream';
    for await (const { revision } of to.readStream(event.stream, { direction: 'backwards', limit: 1 }))
      last = revision;
    await append(to, [event], last);
  }
}

const append = (to: EventStore, run: readonly RecordedEvent[], expected = revisionBefore(run[0]!)) =>
  to.append(
    run[0]!.stream,
    expected,
    run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  );

const revisionBefore = ({ revision }: RecordedEvent): ExpectedRevision =>
  revision === 0 ? 'no_stream' : revision - 1;
