import { convertToCommandError, ErrorType, isCommandError, NotLeaderError } from '@eventstore/db-client';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';

const INVALID_ARGUMENT = 3;

const REASONS: Partial<Record<ErrorType, string>> = {
  [ErrorType.ACCESS_DENIED]: 'it rejected the credentials',
  [ErrorType.CANCELLED]: 'it cancelled the request',
  [ErrorType.DEADLINE_EXCEEDED]: 'it timed out',
  [ErrorType.NOT_LEADER]: 'the node is not the leader',
  [ErrorType.TIMEOUT]: 'it timed out',
};

export function unavailable(reason: string, cause?: unknown): EngineUnavailable {
  return new EngineUnavailable('event store', reason, cause === undefined ? {} : { cause });
}

/** Whether the request has to be sent to the leader, to which the client connects next. */
export function isNotLeader(error: unknown): boolean {
  return error instanceof EngineUnavailable && error.cause instanceof NotLeaderError;
}

/** Maps an error of the client library to one that the port allows. */
export function toEngineError(error: unknown): Error {
  if (error instanceof EngineUnavailable) return error;
  const known = convertToCommandError(error as Error);
  if (!isCommandError(known)) return unavailable(known.message, known);
  // A position of another store: a retry does not help.
  if (known.code === INVALID_ARGUMENT)
    return new Error(`the event store rejected the request: ${known.message}`, { cause: known });
  return unavailable(REASONS[known.type] ?? known.message, known);
}
