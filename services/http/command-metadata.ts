import type { CommandMetadata } from '../../contracts/decider';
import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem/problem';
import type { AnyCall } from './call';

type CallMetadata = CommandMetadata &
  Pick<Principal, 'issuer' | 'role' | 'secureSessionAge'> & {
    readonly requestId: string;
    readonly commandId?: string;
  };

/**
 * The metadata of the commands that a call executes.
 * @param now RFC 3339 UTC instant with milliseconds
 * @throws Problem 401 when the caller is not authenticated
 */
export function commandMetadata({ principal, requestId, attempt }: AnyCall, now: string): CallMetadata {
  if (!principal) throw new Problem('unauthenticated', 'A bearer token is required.');
  const { subject: actor, issuer, role, secureSessionAge } = principal;
  const { commandId } = attempt;
  return {
    now,
    actor,
    issuer,
    role,
    secureSessionAge,
    requestId,
    ...(commandId !== null && { commandId }),
  };
}
