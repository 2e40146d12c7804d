/** Where a client of the TON Connect bridge has connected from. */
export interface ConnectionOrigin {
  /** Of the page, such as `https://app.example`. */
  readonly origin: string;
  readonly ip: string;
}

/** For how long a connection is remembered. */
export const CONNECTION_REMEMBERED_MS = 300_000;
/** How many origins of one client are remembered: it reconnects from the same ones. */
export const MAX_CONNECTION_ORIGINS = 4;

/** Remembers where clients have connected from lately. */
export interface ConnectionOrigins {
  /** Does not fail: what cannot be stored is not remembered. */
  add(clients: readonly string[], from: ConnectionOrigin): void;
  /** Those of the last five minutes, the last ones when there are many. @throws EngineUnavailable */
  of(client: string): Promise<readonly ConnectionOrigin[]>;
}
