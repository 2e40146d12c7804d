import { Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import type { Draft, DraftEvent } from '../draft';
import { streamIdentifier } from './requests';

const PART_CHARACTERS = 1024 * 1024;

const proposed = ({ id, type, data, metadata }: DraftEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

const optionsOf = ({ stream, expected }: Draft): BatchAppendReq.Options => {
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

/** One append in as many messages as its size asks for; it is carried out at the last of them. */
export function* messages(correlation: string, draft: Draft): Generator<BatchAppendReq> {
  const open = (): BatchAppendReq =>
    new BatchAppendReq().setCorrelationId(new UUID().setString(correlation)).setIsFinal(false);
  let message = open().setOptions(optionsOf(draft));
  let characters = 0;
  for (const event of draft.events) {
    const size = event.data.length + event.metadata.length;
    if (characters > 0 && characters + size > PART_CHARACTERS) {
      yield message;
      message = open();
      characters = 0;
    }
    message.addProposedMessages(proposed(event));
    characters += size;
  }
  yield message.setIsFinal(true);
}
