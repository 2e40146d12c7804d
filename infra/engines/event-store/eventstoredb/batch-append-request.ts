import { Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import type { ValidatedAppend, ValidatedEvent } from '../validate-append';
import { streamIdentifier } from './read-requests';

const MAX_MESSAGE_CHARACTERS = 1024 * 1024;

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

/** One append, split into several messages when it is large; the server appends with the last of them. */
export function* batchAppendRequests(
  correlation: string,
  append: ValidatedAppend,
): Generator<BatchAppendReq> {
  const open = (): BatchAppendReq =>
    new BatchAppendReq().setCorrelationId(new UUID().setString(correlation)).setIsFinal(false);
  let message = open().setOptions(optionsOf(append));
  let characters = 0;
  for (const event of append.events) {
    const size = event.data.length + event.metadata.length;
    if (characters > 0 && characters + size > MAX_MESSAGE_CHARACTERS) {
      yield message;
      message = open();
      characters = 0;
    }
    message.addProposedMessages(proposed(event));
    characters += size;
  }
  yield message.setIsFinal(true);
}
