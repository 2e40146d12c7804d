import type { Access } from '../../contracts/http/billing-access';
import { hasRole, type Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem';

/** What counts as a secure session: how long ago the strong authentication may be, and how to ask for one. */
export interface SecureSession {
  /** Seconds. */
  readonly maxAge: number;
  readonly acrValues: readonly string[];
}

/**
 * Role first, then the secure session. The step-up challenge is a 401 as RFC 9470, section 3, has it.
 * @throws Problem 403 `insufficient_role`, 401 `secure_session_required`
 */
export function permit(
  principal: Principal | null,
  access: Access,
  { maxAge, acrValues }: SecureSession,
): Principal {
  if (!principal) throw new Problem(401, 'unauthenticated', 'A bearer token is needed.');
  if (!hasRole(principal, access.role)) {
    throw new Problem(403, 'insufficient_role', `This needs the role ${access.role} or a higher one.`, {
      extra: { requiredRole: access.role },
    });
  }
  const age = principal.secureSessionAge;
  if (access.secureSession && (age === null || age > maxAge)) {
    const challenge = `acr_values="${acrValues.join(' ')}", max_age="${maxAge}"`;
    throw new Problem(401, 'secure_session_required', 'Authenticate again with a second factor.', {
      extra: { maxAge },
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", ${challenge}` },
    });
  }
  return principal;
}
