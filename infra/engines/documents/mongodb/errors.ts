import { types } from 'node:util';
import { MongoError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';
import { DUPLICATE_KEY, hasCode, OUT_OF_DISK_SPACE } from '../../mongodb/server-errors';

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

export function throwTranslated(error: unknown): never {
  throw translateError(error);
}
