import type { Principal, Role } from '../../contracts/principal';
import type { SigningKey } from './local-keys';

interface TokenRequest {
  readonly subject: string;
  readonly role: Role;
  /** Whether the token claims a strong authentication just now. */
  readonly secure: boolean;
  /** Seconds; at most a day. */
  readonly ttl: number;
}

export interface LocalIssuer {
  readonly kind: Principal['issuer'];
  readonly issuer: string;
  readonly audience: string;
  readonly instanceId: string;
  readonly key: SigningKey;
  /** What `acr` says of a strong authentication. */
  readonly acr: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Signs a token as the issuer: for operators who run without an identity provider, and for tests. */
export async function issueToken(
  { kind, issuer, audience, instanceId, key, acr, now }: LocalIssuer,
  { subject, role, secure, ttl }: TokenRequest,
): Promise<string> {
  const { importJWK, SignJWT } = await import('jose');
  const issuedAt = Math.floor(now() / 1000);
  return new SignJWT({
    role,
    ...(kind === 'instance' && { instance_id: instanceId }),
    ...(secure && { acr, amr: ['otp'], auth_time: issuedAt }),
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttl)
    .sign(await importJWK(key, 'EdDSA'));
}
