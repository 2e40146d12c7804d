import {
  DeleteResp,
  type DeleteReq,
  TombstoneResp,
  type TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb';
import { type handleUnaryCall, status } from '@grpc/grpc-js';
import { WrongExpectedRevision } from '../../../contracts/ports/event-store';
import { expectedOf } from './appending';
import { toLog } from './log-position';
import { StatusError } from './status-error';
import type { Streams } from './streams';

type Options = DeleteReq.Options | TombstoneReq.Options;

const target = (options: Options): [stream: string, expected: ReturnType<typeof expectedOf>] => [
  Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString(),
  expectedOf(options, options.getRevision()),
];

const VERSIONS = { no_stream: -1, any: -2, stream_exists: -4 } as const;

const errorOf = (error: unknown): Error =>
  error instanceof WrongExpectedRevision
    ? new StatusError(status.FAILED_PRECONDITION, 'wrong-expected-version', {
        'stream-name': error.stream,
        'expected-version': String(
          typeof error.expected === 'number' ? error.expected : VERSIONS[error.expected],
        ),
        'actual-version': String(error.actual ?? VERSIONS.no_stream),
      })
    : (error as Error);

export function deleteStream(streams: Streams): handleUnaryCall<DeleteReq, DeleteResp> {
  return (call, respond) => {
    void streams.delete(...target(call.request.getOptions()!)).then(
      ({ position }) =>
        respond(
          null,
          new DeleteResp().setPosition(
            new DeleteResp.Position().setCommitPosition(toLog(position)).setPreparePosition(toLog(position)),
          ),
        ),
      error => respond(errorOf(error)),
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
              .setCommitPosition(toLog(position))
              .setPreparePosition(toLog(position)),
          ),
        ),
      error => respond(errorOf(error)),
    );
  };
}
