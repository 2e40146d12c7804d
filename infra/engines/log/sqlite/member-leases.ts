import type { ConsumerGroups } from './consumer-groups';

/** The leases of the members of this process: renewed together, for a program has dozens of members, most of them idle. */
export interface MemberLeases {
  /** Renews the lease of a member, also while it stops. @returns ends that */
  keep(member: number): () => void;
}

/** @param intervalMs between two renewals */
export function createMemberLeases(groups: Pick<ConsumerGroups, 'renew'>, intervalMs: number): MemberLeases {
  const members = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  // What was not renewed expires, and is then claimed by other members.
  const renew = (): void => void groups.renew([...members]).catch(() => undefined);

  return {
    keep(member) {
      members.add(member);
      timer ??= setInterval(renew, intervalMs);
      return () => {
        members.delete(member);
        if (members.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
