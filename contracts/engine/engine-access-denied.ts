import type { EngineName } from './engine-unavailable';

/**
 * An engine rejects the credentials, or their user lacks a right: a fault of the configuration, which only an operator can
 * correct. A retry does not help.
 */
export class EngineAccessDenied extends Error {
  override readonly name = 'EngineAccessDenied';
  constructor(
    readonly engine: EngineName,
    /** For operators, without secrets. Names the setting. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${engine}: access denied: ${reason}`, options);
  }
}
