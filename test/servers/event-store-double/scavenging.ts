import { randomUUID } from 'node:crypto';
import { ScavengeResp, type StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';

/** Answers when it is done, unlike the server. */
export function startScavenge(
  scavenge: () => Promise<void>,
): handleUnaryCall<StartScavengeReq, ScavengeResp> {
  return (_call, respond) =>
    void scavenge().then(
      () =>
        respond(
          null,
          new ScavengeResp()
            .setScavengeId(randomUUID())
            .setScavengeResult(ScavengeResp.ScavengeResult.STARTED),
        ),
      (error: Error) => respond(error),
    );
}
