import {
  AppendTooLarge,
  WrongExpectedRevision,
  type EventStore,
  type RecordedEvent,
} from '../../../contracts/ports/event-store';
import type { Copying } from './copying';

/** Events after which the way is noted: what is repeated at most when a copy is cut off. */
const NOTE_EVERY = 1_000;

/**
 * Copies all events with their ids and revisions, in their global order: one append after the other, since only an
 * answered append has its place. When they were recorded is what an engine notes itself, so the copies say when they were copied.
 */
export async function copyEvents({ from, to, way, signal, onProgress }: Copying<EventStore>): Promise<void> {
  const noted = await way.read();
  let after = noted?.['events'] ?? -1;
  let copied = noted?.['copied'] ?? 0;
  let unnoted = 0;
  const note = async (): Promise<void> => {
    await way.note({ events: after, copied });
    unnoted = 0;
  };
  for await (const page of from.readAll({ after })) {
    for (const run of runsOf(page)) {
      signal.throwIfAborted();
      await copyRun(to, run);
      after = run.at(-1)!.position;
      copied += run.length;
      unnoted += run.length;
      if (unnoted >= NOTE_EVERY) await note();
      onProgress(copied);
    }
  }
  await note();
}

/** Neighbours of one stream, which may go in one append. */
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
    // A copy that was cut off here had made other runs, part of this one is there already; or together they are too large.
    const isApart = error instanceof WrongExpectedRevision || error instanceof AppendTooLarge;
    if (!isApart || run.length === 1) throw error;
    for (const event of run) await append(to, [event]);
  }
}

const append = (to: EventStore, run: readonly RecordedEvent[]) => {
  const { stream, revision } = run[0]!;
  return to.append(
    stream,
    revision === 0 ? 'no_stream' : revision - 1,
    run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  );
};
