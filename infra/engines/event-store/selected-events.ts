import type {
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../../contracts/ports/event-store';

type IsSelected = (event: RecordedEvent) => boolean;

/** `readStream` of the selected events alone: a limit is theirs. */
export async function* readStreamWhere(
  { readStream }: Pick<EventStore, 'readStream'>,
  isSelected: IsSelected,
  stream: string,
  options: ReadStreamOptions = {},
): AsyncGenerator<RecordedEvent, void, undefined> {
  let { limit: left } = options;
  for (let page = options; left !== 0;) {
    let read = 0;
    let last = 0;
    for await (const event of readStream(stream, page)) {
      read += 1;
      last = event.revision;
      if (!isSelected(event)) continue;
      yield event;
      if (left !== undefined) left -= 1;
    }
    const from = options.direction === 'backwards' ? last - 1 : last + 1;
    if (left === undefined || read < page.limit! || from < 0) return;
    page = { ...options, from, limit: left };
  }
}

/** `readAll` of the selected events alone: a limit is theirs. */
export async function* readAllWhere(
  { readAll }: Pick<EventStore, 'readAll'>,
  isSelected: IsSelected,
  options: ReadAllOptions = {},
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  let { limit: left } = options;
  for (let page = options; left !== 0;) {
    let read = 0;
    let after = page.after;
    for await (const batch of readAll(page)) {
      read += batch.length;
      after = batch.at(-1)?.position ?? after;
      const events = batch.filter(isSelected);
      if (events.length > 0) yield events;
      if (left !== undefined) left -= events.length;
    }
    if (left === undefined || read < page.limit! || after === undefined) return;
    page = { ...options, after, limit: left };
  }
}
