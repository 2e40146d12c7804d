import type { CommandMetadata, DomainEvent } from '../../contracts/decider';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { Handle } from '../commands/handle';
import type { StreamKind } from '../commands/stream-kind';

/** How long something that anonymous callers leave stays. `<NAME>_DAYS` sets it, 0 keeps it for good. */
export interface Age {
  readonly name: string;
  /** What goes, as docs/bounds.md names it. */
  readonly of: string;
  /** By default. */
  readonly days: number;
  /** A paragraph of docs/bounds.md about it. */
  readonly note?: string;
}

/** What subjects begin with whose texts all have an age: the accounts of wallets, and devices. */
export type AgingSubjects = 'ton:' | 'push:';

/** How long the streams of a category stay after their last event. */
export interface Retention extends Age {
  readonly category: string;
  /** Names how far it is, where the category has another retention as well. */
  readonly progress?: string;
  /** Whose personal texts its events have, encrypted with `hasAge`: the keys of these subjects go once they are not used any more. */
  readonly textsOf?: AgingSubjects;
  /** Whether a stream with this last event has nothing in the documents, so that it can be deleted. */
  hasNoDocument(last: RecordedEvent): boolean;
  /**
   * Records in the stream that it is to go, and the documents forget it.
   * @param handle decides nothing once another event has followed the last one
   * @returns false when it stays
   */
  remove?(handle: Handle, last: RecordedEvent, now: string): Promise<boolean>;
  /** Each event holds the whole state: the earlier ones go, so many days after it. The last one stays. */
  readonly lastEventIsState?: true;
  /** Whether the last event says all that matters of a stream: the earlier ones go, so many days after it. It stays. */
  saysAll?(last: RecordedEvent): boolean;
}

/** Records that a stream is to go. Nothing is recorded when it stays. */
export interface Remove {
  readonly type: 'remove';
  readonly metadata: CommandMetadata;
}

/** The `remove` of streams whose decider has the command. */
export function removeByDecider<
  State,
  C extends { readonly metadata: CommandMetadata },
  Event extends DomainEvent,
>(kind: StreamKind<State, C | Remove, Event>): NonNullable<Retention['remove']> {
  return async (handle, { stream }, now) => {
    const outcome = await handle(kind, stream, { type: 'remove', metadata: { now, actor: 'retention' } });
    return !outcome.refusal && outcome.events.length > 0;
  };
}
