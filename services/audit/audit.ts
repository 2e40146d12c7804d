import type { Middleware } from '../http/call';

/** What a call is about, as the audit trail records it. */
export interface AuditSubject {
  readonly action: string;
  /** True: recorded with any outcome. False: only when it is refused. */
  readonly always: boolean;
  /** Ids, months and days; no free text. */
  readonly about: Readonly<Record<string, string>>;
  /** That it did nothing of what it was called for, whatever the status of the answer. Default: false. */
  readonly isRefused?: boolean;
}

/**
 * What a call is about.
 * @param body well-formed; undefined when the call was refused before
 * @param answer what was answered; undefined when the call was refused
 * @returns null where the body would say
 */
export type AuditSubjectOf = (body: unknown, answer?: unknown) => AuditSubject | null;

/** Records the outcome of calls in the audit trail. */
export type Audit = (subjectOf: AuditSubjectOf) => Middleware;

/** Records nothing. */
export const noAudit: Audit = () => (_call, next) => next();
