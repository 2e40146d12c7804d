import { hasRole, type Principal } from '../../contracts/principal';
import type { Access, Endpoint } from '../../contracts/http/endpoint';
import { parsePosition, type Position } from '../../contracts/position';
import { counted } from '../../contracts/text/counted';
import { Problem } from '../../contracts/problem/problem';

/** Requirements of a secure session: the maximum age of the strong authentication, and the `acr` values of a challenge. */
export interface SecureSession {
  /** Seconds. */
  readonly maxAge: number;
  readonly acrValues: readonly string[];
  /** Whose tokens the program issues itself. */
  readonly ownIssuers: readonly Principal['issuer'][];
}

/** The access that applies to a call with this body, and the name of its action. */
export function accessOf(endpoint: Endpoint, body: unknown): { access: Access; action: string | null } {
  if (!endpoint.actions) return { access: endpoint, action: null };
  const { action } = body as { action: string };
  return { access: endpoint.actions[action]!, action };
}

/**
 * Checks the role, then the secure session. The step-up challenge is a 401 as of RFC 9470, section 3.
 * @throws Problem 401 `unauthenticated`, 403 `insufficient_role`, 401 `secure_session_required`
 */
export function authorize(
  principal: Principal | null,
  { role, secureSession }: Access,
  { maxAge, acrValues, ownIssuers }: SecureSession,
): void {
  if (!role && !secureSession) return;
  if (!principal) throw new Problem('unauthenticated', 'A bearer token is required.');
  if (role && !hasRole(principal, role)) {
    throw new Problem('insufficient_role', `This requires the role ${role} or a higher one.`, {
      extra: { requiredRole: role },
    });
  }
  const age = principal.secureSessionAge;
  if (secureSession && (age === null || age > maxAge)) {
    const challenge = `acr_values="${acrValues.join(' ')}", max_age="${maxAge}"`;
    const how = ownIssuers.includes(principal.issuer)
      ? ': `tidemark token --secure` issues a token for that'
      : '';
    const detail = `Authenticate again with a second factor, which is valid for ${counted(maxAge, 'second')}${how}.`;
    throw new Problem('secure_session_required', detail, {
      extra: { maxAge },
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", ${challenge}` },
    });
  }
}

/** The position that a read has to include; null without the header. @throws Problem 400 when it is malformed */
export function minPositionOf(header: (name: string) => string | undefined): Position | null {
  const text = header('x-min-position');
  if (text === undefined) return null;
  const position = parsePosition(text);
  if (position !== null) return position;
  throw Problem.invalid('/header/x-min-position', 'a position from X-Ledger-Position', 'invalid_position');
}
