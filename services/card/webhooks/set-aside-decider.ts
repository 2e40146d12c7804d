import type { CommandMetadata } from '../../../contracts/decider';
import {
  cardWebhookEvents,
  type CardWebhookEvent,
  type SetAsideReason,
} from '../../../contracts/events/card-webhook';
import type { StreamKind } from '../../commands/stream-kind';
import type { Remove } from '../../retention/retention';
import type { WebhookRef } from './deps';

interface SetAside {
  readonly type: 'set_aside';
  readonly webhook: WebhookRef & {
    readonly type: string;
    readonly reason: SetAsideReason;
    readonly detail: string;
  };
  readonly metadata: CommandMetadata;
}

/** A webhook that could not be used, once, however often the issuer repeats it. */
export const cardWebhookKind: StreamKind<WebhookRef | null, SetAside | Remove, CardWebhookEvent> = {
  events: cardWebhookEvents,
  decider: {
    initial: () => null,
    evolve: (_, { data: { webhookId, network } }) => ({ webhookId, network }),
    decide(state, command) {
      const { now: at } = command.metadata;
      if (command.type === 'remove')
        return state ? [{ type: 'CardWebhookRemoved', data: { ...state, at } }] : [];
      return state ? [] : [{ type: 'CardWebhookSetAside', data: { ...command.webhook, at } }];
    },
  },
};
