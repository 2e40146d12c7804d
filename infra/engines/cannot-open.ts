/** An engine cannot be used as it is set: names the setting and the cause, for whoever runs the program. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
  constructor(
    readonly setting: 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL' | 'REDIS_URL' | 'DATA_DIR',
    /** In words; holds no secret of the setting's value. */
    cause: string,
    options?: ErrorOptions,
  ) {
    super(`${setting}: ${cause}`, options);
  }
}
