import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { LogMessage } from '../../contracts/ports/log';

/** How inputs are ordered within a partition, and described in an error. */
export interface InputKind<Input> {
  sequenceOf(input: Input): number;
  describe(input: Input): string;
}

export const EVENTS: InputKind<RecordedEvent> = {
  sequenceOf: event => event.position,
  describe: event => `position ${event.position} (${event.type}, ${event.stream} revision ${event.revision})`,
};

export const MESSAGES: InputKind<LogMessage> = {
  sequenceOf: message => message.offset,
  describe: ({ topic, partition, offset, key }) => `${topic}/${partition} offset ${offset} (key ${key})`,
};
