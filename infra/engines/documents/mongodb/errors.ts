import { types } from 'node:util';
import { MongoError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';

const DUPLICATE = 11_000;
const NO_SUCH_COLLECTION = 26;
const COLLECTION_EXISTS = 48;
const OUT_OF_DISK_SPACE = 14_031;

export function isDuplicate(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === DUPLICATE;
}

export function isNoSuchCollection(error: unknown): boolean {
  return (
    error instanceof MongoServerError &&
    (error.code === NO_SUCH_COLLECTION || /ns not found/.test(error.message))
  );
}

export function isCollectionThere(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === COLLECTION_EXISTS;
}

/** No server could be selected within the driver's time limit. */
export function isNoServer(error: unknown): error is MongoServerSelectionError {
  return error instanceof MongoServerSelectionError;
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

export async function translatingErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translateError(error);
  }
}
