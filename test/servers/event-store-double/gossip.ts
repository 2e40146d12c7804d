import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { type Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';

/** A cluster of one node, for clients that discover the leader. */
export function gossip(port: number): handleUnaryCall<Empty, ClusterInfo> {
  return (_call, respond) => {
    const member = new MemberInfo()
      .setInstanceId(new UUID().setString('00000000-0000-4000-8000-000000000000'))
      .setState(MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new EndPoint().setAddress('127.0.0.1').setPort(port));
    respond(null, new ClusterInfo().setMembersList([member]));
  };
}
