import {
  AppendTooLarge,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
  type RecordedEvent,
} from '../../../contracts/ports/event-store';
import type { CopyTask } from './copy-task';

/** Progress is stored after so many events: an interrupted copy repeats no more than these. */
const STORE_INTERVAL = 1_000;

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
  const store = async (): Promise<void> => {
    await progress.store({ events: after, copied });
    unstored = 0;
  };
  for await (const page of from.readAll({ after })) {
    for (const run of runsOf(page)) {
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

/** Consecutive events of one stream, which can be appended together. */
function* runsOf(page: readonly RecordedEvent[]): Generator<readonly RecordedEvent[]> {
  let run: RecordedEvent[] = [];
  for (const event of page) {
    if (run.length > 0 && run[0]!.stream !== event.stream) {
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
    // An interrupted copy had other runs, so part of this one is there already; or together they are too large.
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
    let last: number | null = null;
    for await (const { id, revision } of to.readStream(event.stream, { direction: 'backwards' })) {
      if (id === event.id) return;
      last ??= revision;
    }
    await append(to, [event], last ?? 'no_stream');
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
