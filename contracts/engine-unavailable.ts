export type EngineName = 'event store' | 'log' | 'documents' | 'jobs' | 'mailbox';

/**
 * An engine does not respond, or cannot do its work at the moment: a temporary condition, to be retried. The operation may
 * or may not have happened; every write of this system can be repeated.
 */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  constructor(
    readonly engine: EngineName,
    /** For operators, without secrets. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${engine}: not available: ${reason}`, options);
  }
}
