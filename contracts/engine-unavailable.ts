export type EngineName = 'event store' | 'log' | 'documents' | 'jobs' | 'mailbox';

/**
 * An engine does not answer, or answers that it cannot at the moment: nobody's fault, to be tried again. What was asked
 * may or may not have happened; every write of this system can be repeated without harm.
 */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  constructor(
    readonly engine: EngineName,
    /** In words for an operator, without secrets. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${engine}: not available: ${reason}`, options);
  }
}
