import { types } from 'node:util';
import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';

export const COLLECTION_EXISTS = 48;
export const DUPLICATE_KEY = 11_000;
export const OUT_OF_DISK_SPACE = 14_031;

/** Whether the server has answered with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly number[]): error is MongoServerError {
  return error instanceof MongoServerError && codes.includes(Number(error.code));
}

/** `bulkWrite` of the driver throws an error of the server, with its code and labels, and any other error within one. */
export function unwrapped(error: unknown): unknown {
  const within: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  return within instanceof MongoError ? within : error;
}

/** For the error of a write that nothing is left to do for. */
export function ignoring(code: number): (error: unknown) => undefined {
  return error => {
    if (!hasCode(error, code)) throw error;
  };
}

/** The driver does not wrap the error of a write to a socket that the server has just closed. */
const isSocketError = (error: unknown): error is Error =>
  types.isNativeError(error) && ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The error of the port for an error of the driver. */
export function translateError(error: unknown): unknown {
  if (hasCode(error, DUPLICATE_KEY)) return new DuplicateKey(error.message, { cause: error });
  if (!(error instanceof MongoError) && !isSocketError(error)) return error;
  const full = hasCode(error, OUT_OF_DISK_SPACE) ? 'its disk is full: ' : '';
  const message = error.message.replace(/mongodb(\+srv)?:\/\/\S+/g, 'mongodb://…');
  return new EngineUnavailable('documents', `MongoDB: ${full}${message}`, { cause: error });
}

export function translatingErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    throw translateError(error);
  });
}
