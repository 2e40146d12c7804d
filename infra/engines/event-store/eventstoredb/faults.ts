import { convertToCommandError, ErrorType, isCommandError } from '@eventstore/db-client';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';

const INVALID_ARGUMENT = 3;

const WORDS: Partial<Record<ErrorType, string>> = {
  [ErrorType.ACCESS_DENIED]: 'it refuses these credentials',
  [ErrorType.CANCELLED]: 'it has cancelled the request',
  [ErrorType.DEADLINE_EXCEEDED]: 'it took too long',
  [ErrorType.NOT_LEADER]: 'the node is not the leader',
  [ErrorType.TIMEOUT]: 'it took too long',
};

export function unavailable(reason: string, cause?: unknown): EngineUnavailable {
  return new EngineUnavailable('event store', reason, cause === undefined ? {} : { cause });
}

/** What an adapter may throw in place of an error of the client library. */
export function fault(error: unknown): Error {
  if (error instanceof EngineUnavailable) return error;
  const known = convertToCommandError(error as Error);
  if (!isCommandError(known)) return unavailable(known.message, known);
  // A position that is none of this store: trying again does not help.
  if (known.code === INVALID_ARGUMENT)
    return new Error(`the event store cannot answer that: ${known.message}`, { cause: known });
  return unavailable(WORDS[known.type] ?? known.message, known);
}
