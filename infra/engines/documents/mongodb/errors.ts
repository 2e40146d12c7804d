import { types } from 'node:util';
import { MongoBulkWriteError, MongoError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';

const DUPLICATE = 11_000;
const NO_SUCH_COLLECTION = 26;
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

/** No server could be selected within the driver's time limit. */
export function isNoServer(error: unknown): error is MongoServerSelectionError {
  return error instanceof MongoServerSelectionError;
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE;
}

/**
 * Whether an E11000 is about a taken `_id`, which our own writes expect. The server also says so in `keyPattern`, which the
 * driver does not pass on for bulk writes. The text names the index before the first brace; what follows is stored data.
 */
export function isIdTaken(message: string): boolean {
  return /^[^{]* index: _id_? dup key: \{/.test(message);
}

/**
 * The operations of a bulk write that failed, and why. Rethrows other errors; for a broken connection the driver throws
 * a bulk write error without failed operations.
 */
export function failuresOf(error: unknown): { index: number; duplicate: boolean; message: string }[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0) throw error;
  return failures.map(({ index, code, errmsg = '' }) => ({
    index,
    duplicate: code === DUPLICATE,
    message: errmsg,
  }));
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
