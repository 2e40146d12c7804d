/** A request of a server of the app. */
export interface ArrivedRequest {
  /** When its head was complete, in milliseconds of `performance`: it may have waited for its turn since. */
  readonly arrivedAt: number;
}
