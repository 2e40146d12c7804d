import { DamagedData } from '../../contracts/engine/damaged-data';
import { EngineAccessDenied } from '../../contracts/engine/engine-access-denied';
import { EngineBehind, EngineBusy, EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { ERRORS, type ErrorCode } from '../../contracts/problem/errors';
import { Problem, type ProblemDocument } from '../../contracts/problem/problem';
import { AppendTooLarge, WrongExpectedRevision } from '../../contracts/ports/event-store';
import { ProjectionBehind, ProjectionIncomplete, ProjectionStopped } from '../../projections/unreadable';

/** The RFC 9457 document of a problem. */
export function problemDocument(problem: Problem, requestId: string): ProblemDocument {
  return {
    type: `/problems/${problem.code}`,
    title: ERRORS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    instance: `/requests/${requestId}`,
    code: problem.code,
    requestId,
    ok: false,
    error: problem.code,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.extra,
  };
}

/** A response that its endpoint does not declare: a bug, which only tests check for. */
export class UndeclaredResponse extends Error {
  override readonly name = 'UndeclaredResponse';
}

/** Seconds that a fail-over or restart of an engine takes. */
const RETRY_AFTER_S = 2;

const BEHIND = { 'event store': 'event_store_behind', log: 'log_behind' } as const;

/** The problem of an error: those of the router by status; others are a 500 without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UndeclaredResponse) return new Problem('internal', error.message);
  if (error instanceof EngineBehind)
    return new Problem(
      BEHIND[error.engine],
      `Nothing was changed: the ${error.engine} has lost data, and accepts no writes until an operator has restored it.`,
    );
  if (error instanceof ProjectionStopped)
    return new Problem(
      'stored_data_damaged',
      `The projection ${error.projection} stopped at ${error.stoppedAt}. What follows is missing until an operator repairs it.`,
    );
  if (error instanceof ProjectionIncomplete)
    return new Problem(
      'stored_data_damaged',
      `The projection ${error.projection} lacks ${error.events} of the recorded events until an operator rebuilds it.`,
    );
  if (error instanceof ProjectionBehind)
    return Problem.unavailable(
      `The projection ${error.projection} is still being brought up to date after the start; try again.`,
      RETRY_AFTER_S,
    );
  if (error instanceof DamagedData)
    return new Problem(
      'stored_data_damaged',
      `Data that this request needs is damaged in the ${error.engine}: ${error.at}.`,
    );
  if (error instanceof EngineBusy)
    return Problem.unavailable('Too many reads of this caller wait; try again.', RETRY_AFTER_S);
  if (error instanceof EngineUnavailable)
    return new Problem('engine_unavailable', `The ${error.engine} engine does not answer; try again.`, {
      retryAfter: RETRY_AFTER_S,
    });
  if (error instanceof EngineAccessDenied)
    return new Problem(
      'engine_access_denied',
      `Nothing was changed: the ${error.engine} denies access. An operator has to correct the configuration.`,
    );
  if (error instanceof AppendTooLarge)
    return new Problem(
      'append_too_large',
      'Nothing was changed: the events of this change are too large for one append to the event store.',
    );
  if (error instanceof WrongExpectedRevision)
    return new Problem('version_conflict', 'It was changed at the same time by another call; try again.');
  const { status } = error as { status?: unknown };
  if (error instanceof URIError || status === 400) {
    return new Problem('invalid_request', 'The request could not be read: malformed encoding.');
  }
  return new Problem('internal', 'Internal error; search the log for the request id.');
}

/** Waiting does not help: an operator has to look at it. */
const FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'stored_data_damaged',
  'ledger_damaged',
]);

export function isFault({ code }: Problem): boolean {
  return FAULTS.has(code);
}

/**
 * No line for operators, although a 5xx: what is asked for is not known yet, as much is being done as may be, another server does
 * not answer, or the fault was logged when it was found, such as an engine that does not answer. Anybody can ask again, as often as
 * they like.
 */
export function isExpected(problem: Problem, error: unknown): boolean {
  const isReported = error instanceof ProjectionStopped || error instanceof ProjectionIncomplete;
  return isReported || !isFault(problem);
}
