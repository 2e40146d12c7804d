import {
  convertToCommandError,
  ErrorType,
  isCommandError,
  NotLeaderError,
  StreamDeletedError,
  UnknownError,
} from '@eventstore/db-client';
import { EngineAccessDenied } from '../../../../contracts/engine/engine-access-denied';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';

const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;

/** What servers before 24.2, and those after, answer to a read from a position at which no record begins. */
const NO_RECORD = /Unexpected (Filtered)?ReadAllResult: (Error|InvalidPosition)|invalid[ -]?position/i;

/** Servers before 24.2 drop a subscription of which a few live events wait. */
const TOO_SLOW = /consumer too slow/i;

const REASONS: Partial<Record<ErrorType, string>> = {
  [ErrorType.CANCELLED]: 'it cancelled the request',
  [ErrorType.DEADLINE_EXCEEDED]: 'it timed out',
  [ErrorType.NOT_LEADER]: 'the node is not the leader',
  [ErrorType.TIMEOUT]: 'it timed out',
};

export function unavailable(reason: string, cause?: unknown): EngineUnavailable {
  return new EngineUnavailable('event store', reason, cause === undefined ? {} : { cause });
}

export function accessDenied(cause?: unknown): EngineAccessDenied {
  return new EngineAccessDenied(
    'event store',
    'it rejects the credentials of EVENTSTORE_URL, or their user may not read $all and append',
    cause === undefined ? {} : { cause },
  );
}

/** The stream was deleted for good: only an operator does that. */
export class StreamIsDeleted extends Error {
  constructor(stream: string) {
    super(`stream ${stream} was deleted`);
  }
}

/** Of a position that is not of this store, or behind the end of a node that lacks what another one has. */
export class NoRecordAtPosition extends Error {
  constructor(cause: unknown) {
    super('the event store has no record at the position: it is not the one that was read before', { cause });
  }
}

/** A call met the client while it left a node for another call. */
const NOT_STARTED = /Channel closed before call started/;

/** Whether no node has looked at the request: it has to be sent to the one to which the client connects next. */
export function isForAnotherNode(error: unknown): boolean {
  if (!(error instanceof EngineUnavailable)) return false;
  return error.cause instanceof NotLeaderError || NOT_STARTED.test(error.reason);
}

/** A connection that had been there, or a call on it, ended: also by a server or a proxy that stops. */
const LOST =
  /Connection dropped|ECONNRESET|EPIPE|RST_STREAM|Stream refused|Call cancelled|closed the connection/;
const NEVER_THERE = /No connection established/;

/** Whether the request may have reached a node, of which no answer comes any more. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof EngineUnavailable)) return false;
  const text = error.cause instanceof Error ? error.cause.message : error.reason;
  return LOST.test(text) && !NEVER_THERE.test(text);
}

/** Whether the server gave no reason. */
export function isUnexplained(error: unknown): boolean {
  return error instanceof EngineUnavailable && error.cause instanceof UnknownError;
}

/** Whether the server dropped a subscription whose live events were not taken as fast as they came. */
export function isTooSlow(error: unknown): boolean {
  return (
    error instanceof EngineUnavailable && TOO_SLOW.test(String((error.cause as Error | undefined)?.message))
  );
}

/** The client throws a TypeError for an error whose expected trailers are missing. */
const convert = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};

/** Without what gRPC adds before and after the cause. */
const plain = (message: string): string =>
  message
    .replace(/^\d+( [A-Z_]+)?: /, '')
    .replace(/^No connection established\. Last error: (?:Error: )?(.*?)\. Resolution note: .*$/s, '$1');

/** Maps an error of the client library to one that the port allows. */
export function toEngineError(error: unknown): Error {
  if (error instanceof EngineUnavailable || error instanceof EngineAccessDenied) return error;
  const known = convert(error as Error);
  if (!isCommandError(known)) return unavailable(known.message, known);
  const { code, message, type } = known;
  if (known instanceof StreamDeletedError) return new StreamIsDeleted(known.streamName);
  if (type === ErrorType.ACCESS_DENIED || code === PERMISSION_DENIED) return accessDenied(known);
  // With statuses that otherwise mean a timeout, or nothing in particular.
  if (NO_RECORD.test(message)) return new NoRecordAtPosition(known);
  if (TOO_SLOW.test(message)) return unavailable('live events arrived faster than they were taken', known);
  if (code === INVALID_ARGUMENT)
    return new Error(`the event store rejected the request: ${message}`, { cause: known });
  return unavailable(REASONS[type] ?? plain(message), known);
}
