import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { LogMessage } from '../../contracts/ports/log';

/** What a lane carries: how inputs are ordered in it, and how one is named in an error. */
export interface InputKind<Input> {
  at(input: Input): number;
  describe(input: Input): string;
}

export const EVENTS: InputKind<RecordedEvent> = {
  at: event => event.position,
  describe: event => `position ${event.position} (${event.type}, ${event.stream} revision ${event.revision})`,
};

export const MESSAGES: InputKind<LogMessage> = {
  at: message => message.offset,
  describe: ({ topic, partition, offset, key }) => `${topic}/${partition} offset ${offset} (key ${key})`,
};
