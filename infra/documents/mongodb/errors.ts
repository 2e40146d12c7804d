import { MongoBulkWriteError, MongoError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import { DuplicateKey } from '../port';

const DUPLICATE = 11_000;
const NO_SUCH_COLLECTION = 26;
const OUT_OF_DISK_SPACE = 14_031;

export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE;

export const isNoSuchCollection = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === NO_SUCH_COLLECTION || /ns not found/.test(error.message));

/** No server was found to talk to, for as long as is worth to wait. */
export const isNoServer = (error: unknown): error is MongoServerSelectionError =>
  error instanceof MongoServerSelectionError;

export const isDiskFull = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE;

/** By the index that E11000 names: `_id` is taken, which our own writes reckon with. */
export const isIdTaken = (message: string): boolean => /index: _id_? /.test(message);

/**
 * Of a bulk write: which operations failed, and why. Throws again what is no list of failed operations; the library
 * makes a bulk write error without any of a connection that broke.
 */
export const failuresOf = (error: unknown): { index: number; duplicate: boolean; message: string }[] => {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0) throw error;
  return failures.map(({ index, code, errmsg = '' }) => ({
    index,
    duplicate: code === DUPLICATE,
    message: errmsg,
  }));
};

/** What leaves the adapter in place of an error of the client library. */
export const translated = (error: unknown): unknown => {
  if (isDuplicate(error)) return new DuplicateKey(error.message, { cause: error });
  return error instanceof MongoError
    ? new EngineUnavailable('documents', `MongoDB: ${reasonOf(error)}`, { cause: error })
    : error;
};

const reasonOf = (error: MongoError): string =>
  (isDiskFull(error) ? `its disk is full: ${error.message}` : error.message).replace(
    /mongodb(\+srv)?:\/\/\S+/g,
    'mongodb://…',
  );

export const translating = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
};
