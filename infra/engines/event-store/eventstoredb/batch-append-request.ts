import { Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import type { ValidatedAppend, ValidatedEvent } from '../validate-append';
import { streamIdentifier } from './read-requests';

const proposed = ({ id, type, data, metadata }: ValidatedEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

const optionsOf = ({ stream, expected }: ValidatedAppend): BatchAppendReq.Options => {
  const options = new BatchAppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
  switch (expected) {
    case 'no_stream':
      return options.setNoStream(new Empty());
    case 'stream_exists':
      return options.setStreamExists(new Empty());
    case 'any':
      return options.setAny(new Empty());
    default:
      return options.setStreamPosition(String(expected));
  }
};

/** The whole append in one message: it is at most as large as the port allows, far below what a server takes. */
export function batchAppendRequest(correlation: string, append: ValidatedAppend): BatchAppendReq {
  return new BatchAppendReq()
    .setCorrelationId(new UUID().setString(correlation))
    .setOptions(optionsOf(append))
    .setProposedMessagesList(append.events.map(proposed))
    .setIsFinal(true);
}
