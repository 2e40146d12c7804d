/** Roles, from the lowest. */
export const ROLES = ['viewer', 'finance', 'admin', 'owner', 'platform_admin'] as const;
export type Role = (typeof ROLES)[number];

/** The caller, as a verified token names it. */
export interface Principal {
  readonly subject: string;
  readonly issuer: 'instance' | 'platform';
  readonly role: Role;
  /** Seconds since the caller's strong authentication; null when the token shows none. */
  readonly secureSessionAge: number | null;
  /** The session of the caller, where the token names one (`sid`). */
  readonly sessionId?: string;
}

/** Whether the role of a caller is the minimum or a higher one. */
export function hasRole(principal: Principal, minimum: Role): boolean {
  return ROLES.indexOf(principal.role) >= ROLES.indexOf(minimum);
}
