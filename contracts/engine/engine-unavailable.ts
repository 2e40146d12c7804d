export type EngineName = 'event store' | 'log' | 'documents' | 'jobs' | 'mailbox';

/**
 * An engine does not respond, or cannot do its work at the moment: a temporary condition, to be retried. The operation may
 * or may not have happened; every write of this system can be repeated.
 */
export class EngineUnavailable extends Error {
  override readonly name: string = 'EngineUnavailable';
  constructor(
    readonly engine: EngineName,
    /** For operators, without secrets. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${engine}: not available: ${reason}`, options);
  }
}

/** So much waits for the engine that what the caller with most has asked for last is not begun: it has not happened. */
export class EngineBusy extends EngineUnavailable {
  override readonly name = 'EngineBusy';
}

/** Whether an error says that this engine does not respond. */
export function isUnavailable(error: unknown, engine: EngineName): error is EngineUnavailable {
  return error instanceof EngineUnavailable && error.engine === engine;
}

/** The level at which a call logs its failure: an engine that does not answer is reported once, not by each call. */
export function failureLevel<Level extends 'error' | 'warn'>(error: unknown, level: Level): Level | 'debug' {
  return error instanceof EngineUnavailable ? 'debug' : level;
}

/** The engines whose content others are derived from. */
export type SourceEngine = Extract<EngineName, 'event store' | 'log'>;

/**
 * The engine ends before what was read from it earlier: it has lost data, as after a restore of an older back-up. Nothing may
 * be written to it, since new data would take the positions of the lost.
 */
export class EngineBehind extends EngineUnavailable {
  override readonly name = 'EngineBehind';
  constructor(
    override readonly engine: SourceEngine,
    reason: string,
  ) {
    super(engine, reason);
  }
}
