import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { type Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';

/** A cluster of one, for clients that are told to look for its leader. */
export function gossip(port: number): handleUnaryCall<Empty, ClusterInfo> {
  return (_call, answer) => {
    const member = new MemberInfo()
      .setInstanceId(new UUID().setString('00000000-0000-4000-8000-000000000000'))
      .setState(MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new EndPoint().setAddress('127.0.0.1').setPort(port));
    answer(null, new ClusterInfo().setMembersList([member]));
  };
}
