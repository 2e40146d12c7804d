import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { type Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Endpoint } from './node-state';

export interface Member {
  readonly endpoint: Endpoint;
  readonly isLeader: boolean;
  readonly isAlive: boolean;
}

/** The nodes of the cluster and their roles, for clients that discover the leader. */
export function gossip(members: () => readonly Member[]): handleUnaryCall<Empty, ClusterInfo> {
  return (_call, respond) => {
    const infos = members().map(({ endpoint, isLeader, isAlive }) =>
      new MemberInfo()
        .setInstanceId(
          new UUID().setString(`00000000-0000-4000-8000-${String(endpoint.port).padStart(12, '0')}`),
        )
        .setState(isLeader ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER)
        .setIsAlive(isAlive)
        .setHttpEndPoint(new EndPoint().setAddress(endpoint.host).setPort(endpoint.port)),
    );
    respond(null, new ClusterInfo().setMembersList(infos));
  };
}
