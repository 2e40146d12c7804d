/** Where a client of the TON Connect bridge has connected from. */
export interface ConnectionOrigin {
  /** Of the page, such as `https://app.example`. */
  readonly origin: string;
  readonly ip: string;
}

/** For how long a connection is remembered after it was open. */
export const CONNECTION_REMEMBERED_MS = 300_000;
/** Pages of one client that are remembered: the first ones, each for as long as it is in use. */
export const MAX_ORIGINS = 4;
/** Addresses of one page of a client that are remembered, in the same way. */
export const MAX_ADDRESSES = 4;
/** Clients of one stream that are remembered: applications have one or a few. */
export const MAX_CLIENTS_OF_STREAM = 100;

/** What is known of a client. */
export interface KnownOrigins {
  /** Those in use in the last five minutes, in the order of their first use. */
  readonly origins: readonly ConnectionOrigin[];
  /** The client may have connected from other pages too, which there was no room for. */
  readonly mayBeMore: boolean;
}

/** Remembers where clients have connected from lately. No later page takes the place of an earlier one that is in use. */
export interface ConnectionOrigins {
  /**
   * A stream of these clients was opened. Does not fail: what cannot be stored is stored as soon as it can be.
   * @returns to be called when it is closed
   */
  opened(clients: readonly string[], from: ConnectionOrigin): () => void;
  /** @throws EngineUnavailable */
  of(client: string): Promise<KnownOrigins>;
  close(): Promise<void>;
}
