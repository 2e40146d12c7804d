import type { CommandMetadata } from '../../contracts/decider';
import { instanceEvents, type InstanceEvent } from '../../contracts/events/instance';
import type { StreamKind } from '../commands/stream-kind';

/** Whose ledger it is. Neither can change: streams are named after the instance, and amounts have no other currency. */
export interface Identity {
  readonly instanceId: string;
  readonly currency: string;
}

export interface IdentifyInstance extends Identity {
  readonly metadata: CommandMetadata;
}

/** Null while it is not recorded. What is recorded first stays. */
export const instanceKind: StreamKind<Identity | null, IdentifyInstance, InstanceEvent> = {
  events: instanceEvents,
  decider: {
    initial: () => null,
    evolve: (_, { data: { instanceId, currency } }) => ({ instanceId, currency }),
    decide(recorded, { instanceId, currency, metadata: { now: at, actor: by } }) {
      return recorded ? [] : [{ type: 'InstanceIdentified', data: { instanceId, currency, at, by } }];
    },
  },
};
