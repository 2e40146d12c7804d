import type { Middleware } from '../http/call';

/** What a call is about, as the audit trail records it. */
export interface AuditSubject {
  readonly action: string;
  /** True: recorded with any outcome. False: only when it is refused. */
  readonly always: boolean;
  /** Ids, months and days; no free text. */
  readonly about: Readonly<Record<string, string>>;
}

/**
 * Records the outcome of calls in the audit trail.
 * @param subjectOf reads it from a well-formed body; of undefined, when a call was refused before, null where the body would say
 */
export type Audit = (subjectOf: (body: unknown) => AuditSubject | null) => Middleware;

/** Records nothing. */
export const noAudit: Audit = () => (_call, next) => next();
