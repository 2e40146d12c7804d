import {
  gaslessSendEvents,
  gaslessSendStream,
  type GaslessSendAccepted,
  type GaslessSendEvent,
} from '../../contracts/events/gasless-send';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { GASLESS_SEND_SAMPLES } from '../events/samples/gasless';

const eventOf = (type: GaslessSendEvent['type']): GaslessSendEvent =>
  ({ type, data: GASLESS_SEND_SAMPLES[type]![0]!.data }) as unknown as GaslessSendEvent;

const relayed = eventOf('GaslessSendRelayed').data;

/** A request that was accepted and sent on, and of which nothing more is recorded. */
export const REQUEST = eventOf('GaslessSendAccepted').data as GaslessSendAccepted['data'];
/** Of the message that sent it on. */
export const MESSAGE_HASH = 'messageHash' in relayed ? relayed.messageHash : '';
export const RELAY_SEQNO = 'relaySeqno' in relayed ? relayed.relaySeqno : -1;

const recorded = (['GaslessSendAccepted', 'GaslessSendRelayed'] as const).map(
  (type, revision): RecordedEvent => ({
    ...gaslessSendEvents.write(eventOf(type), String(revision), {}),
    stream: gaslessSendStream(REQUEST),
    revision,
    position: revision,
    created: REQUEST.at,
  }),
);

/** A double of a store that has this request alone. */
export const STORE_OF_REQUEST = {
  async *readStream(): AsyncGenerator<RecordedEvent> {
    yield* recorded;
  },
};
