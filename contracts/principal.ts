/** Roles from least to most; a caller must hold at least the minimum of an action. */
export const ROLES = ['viewer', 'finance', 'admin', 'owner', 'platform_admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls, as a verified token says. */
export interface Principal {
  readonly subject: string;
  readonly issuer: 'instance' | 'platform';
  readonly role: Role;
  /** Seconds since the caller's strong authentication; null when the token shows none. */
  readonly secureSessionAge: number | null;
  /** Which session of the caller it is, where the token names one (`sid`). */
  readonly sessionId?: string;
}

export function hasRole(principal: Principal, minimum: Role): boolean {
  return ROLES.indexOf(principal.role) >= ROLES.indexOf(minimum);
}
