import { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { toRecordedEvent } from './recorded-events';

test.each([
  ['application/json', { data: { v: 1 }, metadata: { v: 2 } }],
  ['application/octet-stream', { data: {}, metadata: {} }],
])('what is no JSON by its content type is not read as such, although it could be: %s', (type, read) => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from('a-1')))
    .setCommitPosition('64')
    .setData(Buffer.from('{"v":1}'))
    .setCustomMetadata(Buffer.from('{"v":2}'));
  recorded.getMetadataMap().set('content-type', type);
  const { data, metadata } = toRecordedEvent(recorded)!;
  expect({ data, metadata }).toEqual(read);
});
