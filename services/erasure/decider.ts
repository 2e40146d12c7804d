import type { CommandMetadata } from '../../contracts/decider';
import { erasureEvents, type ErasureEvent } from '../../contracts/events/erasure';
import type { StreamKind } from '../handle';

interface RecordErasure {
  readonly subject: string;
  /** How often its key has been destroyed. */
  readonly time: number;
  readonly metadata: CommandMetadata;
}

/** How often erasure was recorded for a subject: once each time its key was destroyed, whoever tries again. */
export const erasureKind: StreamKind<number, RecordErasure, ErasureEvent> = {
  events: erasureEvents,
  decider: {
    initial: () => 0,
    evolve: (_, { data }) => data.time,
    decide: (recorded, { subject, time, metadata: { now: at, actor: by } }) =>
      time <= recorded ? [] : [{ type: 'PersonalTextErased', data: { subject, time, at, by } }],
  },
};
