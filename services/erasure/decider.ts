import type { CommandMetadata } from '../../contracts/decider';
import { erasureEvents, type ErasureEvent } from '../../contracts/events/erasure';
import type { StreamKind } from '../commands/stream-kind';

interface RecordErasure {
  readonly subject: string;
  /** How often the key of the subject was destroyed. */
  readonly times: number;
  readonly metadata: CommandMetadata;
}

/** State: how often an erasure was recorded for the subject. One event per destroyed key; a repeated command adds none. */
export const erasureKind: StreamKind<number, RecordErasure, ErasureEvent> = {
  events: erasureEvents,
  decider: {
    initial: () => 0,
    evolve: (_, { data }) => data.times,
    decide: (recorded, { subject, times, metadata: { now: at, actor: by } }) =>
      times <= recorded ? [] : [{ type: 'PersonalTextErased', data: { subject, times, at, by } }],
  },
};
