/** An engine cannot be used as configured. The message, for operators, names the setting and the cause. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
  constructor(
    readonly setting: 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL' | 'REDIS_URL' | 'DATA_DIR',
    /** Must not contain secrets of the setting. */
    cause: string,
    options?: ErrorOptions,
  ) {
    super(`${setting}: ${cause}`, options);
  }
}
