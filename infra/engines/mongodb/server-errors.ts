import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';

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
