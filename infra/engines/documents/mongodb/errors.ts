import { types } from 'node:util';
import { MongoError, MongoServerError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';

const DUPLICATE = 11_000;
const COLLECTION_EXISTS = 48;
const OUT_OF_DISK_SPACE = 14_031;

export function isDuplicate(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === DUPLICATE;
}

export function isCollectionThere(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === COLLECTION_EXISTS;
}

/** For the error of a write that nothing is left to do for. */
export function ignoring(isExpected: (error: unknown) => boolean): (error: unknown) => undefined {
  return error => {
    if (!isExpected(error)) throw error;
  };
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE;
}

/** The driver does not wrap the error of a write to a socket that the server has just closed. */
const isSocketError = (error: unknown): error is Error =>
  types.isNativeError(error) && ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The error of the port for an error of the driver. */
export function translateError(error: unknown): unknown {
  if (isDuplicate(error)) return new DuplicateKey(error.message, { cause: error });
  return error instanceof MongoError || isSocketError(error)
    ? new EngineUnavailable('documents', `MongoDB: ${reasonOf(error)}`, { cause: error })
    : error;
}

const reasonOf = (error: Error): string =>
  (isDiskFull(error) ? `its disk is full: ${error.message}` : error.message).replace(
    /mongodb(\+srv)?:\/\/\S+/g,
    'mongodb://…',
  );

export function translatingErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    throw translateError(error);
  });
}
