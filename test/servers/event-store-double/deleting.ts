import {
  DeleteResp,
  type DeleteReq,
  TombstoneResp,
  type TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb';
import { type handleUnaryCall, status } from '@grpc/grpc-js';
import { WrongExpectedRevision } from '../../../contracts/ports/event-store';
import { expectedOf } from './appending';
import { StatusError } from './status-error';
import type { Streams } from './streams';

type Options = DeleteReq.Options | TombstoneReq.Options;

const target = (options: Options): [stream: string, expected: ReturnType<typeof expectedOf>] => [
  Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString(),
  expectedOf(options, options.getRevision()),
];

const VERSIONS = { no_stream: -1, any: -2, stream_exists: -4 } as const;

const errorOf = (error: unknown, work: 'Delete' | 'Tombstone'): Error => {
  if (!(error instanceof WrongExpectedRevision)) return error as Error;
  const { stream, expected, actual } = error;
  const [wanted, found] = [
    typeof expected === 'number' ? expected : VERSIONS[expected],
    actual ?? VERSIONS.no_stream,
  ];
  return new StatusError(
    status.FAILED_PRECONDITION,
    `${work} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, Actual version: ${found}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(wanted),
      'actual-version': String(found),
    },
  );
};

export function deleteStream(streams: Streams): handleUnaryCall<DeleteReq, DeleteResp> {
  return (call, respond) => {
    void streams.delete(...target(call.request.getOptions()!)).then(
      ({ position }) =>
        respond(
          null,
          new DeleteResp().setPosition(
            new DeleteResp.Position()
              .setCommitPosition(String(position))
              .setPreparePosition(String(position)),
          ),
        ),
      error => respond(errorOf(error, 'Delete')),
    );
  };
}

export function tombstone(streams: Streams): handleUnaryCall<TombstoneReq, TombstoneResp> {
  return (call, respond) => {
    void streams.tombstone(...target(call.request.getOptions()!)).then(
      ({ position }) =>
        respond(
          null,
          new TombstoneResp().setPosition(
            new TombstoneResp.Position()
              .setCommitPosition(String(position))
              .setPreparePosition(String(position)),
          ),
        ),
      error => respond(errorOf(error, 'Tombstone')),
    );
  };
}
