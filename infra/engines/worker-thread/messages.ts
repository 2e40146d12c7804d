import { messageOf } from '../../../contracts/text/error-message';

/** Method names to signatures. Parameters and results cross between threads by structured clone. */
export type Methods<M> = { readonly [Name in keyof M]: (...parameters: never[]) => unknown };

export type ToWorker =
  | { readonly type: 'request'; readonly id: number; readonly method: string; readonly parameters: unknown[] }
  | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: ErrorMessage }
  | { readonly type: 'notification'; readonly notification: unknown };

/** An error as it crosses between threads: structured clone loses its class and most of its properties. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Its own properties that are strings, numbers, bigints, booleans or null. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly cause: ErrorMessage | null;
}

export function encodeError(error: unknown): ErrorMessage {
  if (!(error instanceof Error))
    return { name: 'Error', message: messageOf(error), stack: undefined, properties: {}, cause: null };
  const { name, message, stack, cause, ...rest } = error;
  const properties = Object.fromEntries(Object.entries(rest).filter(([, value]) => isPrimitive(value)));
  return { name, message, stack, properties, cause: cause === undefined ? null : encodeError(cause) };
}

/** An Error with the same name, message, stack, properties and cause, but not of the same class. */
export function decodeError({ name, message, stack, properties, cause }: ErrorMessage): Error {
  const error = new Error(message, cause ? { cause: decodeError(cause) } : undefined);
  return Object.assign(error, { name, ...(stack !== undefined && { stack }) }, properties);
}

const isPrimitive = (value: unknown): boolean =>
  value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
