import { MongoBulkWriteError, MongoError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
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

/** No server was found to talk to, for as long as is worth to wait. */
export function isNoServer(error: unknown): error is MongoServerSelectionError {
  return error instanceof MongoServerSelectionError;
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE;
}

/** By the index that E11000 names: `_id` is taken, which our own writes reckon with. */
export function isIdTaken(message: string): boolean {
  return /index: _id_? /.test(message);
}

/**
 * Of a bulk write: which operations failed, and why. Throws again what is no list of failed operations; the library
 * makes a bulk write error without any of a connection that broke.
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

/** What leaves the adapter in place of an error of the client library. */
export function translated(error: unknown): unknown {
  if (isDuplicate(error)) return new DuplicateKey(error.message, { cause: error });
  return error instanceof MongoError
    ? new EngineUnavailable('documents', `MongoDB: ${reasonOf(error)}`, { cause: error })
    : error;
}

const reasonOf = (error: MongoError): string =>
  (isDiskFull(error) ? `its disk is full: ${error.message}` : error.message).replace(
    /mongodb(\+srv)?:\/\/\S+/g,
    'mongodb://…',
  );

export async function translating<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}
