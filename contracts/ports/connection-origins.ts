/** Where a client of the TON Connect bridge has connected from. */
export interface ConnectionOrigin {
  /** Of the page, such as `https://app.example`. */
  readonly origin: string;
  /** The IPv4 address, or the /64 network of the IPv6 address, as `addressKey` writes it. */
  readonly network: string;
}

/** For how long a connection is remembered after it was open. */
export const CONNECTION_REMEMBERED_MS = 300_000;
/** Pages and networks of one client that are remembered, each page at each network once and for as long as it is in use. */
export const MAX_PLACES = 16;
/** Of them, the networks of the page that was the first: of further ones nothing is unknown. */
export const MAX_FIRST_PAGE_PLACES = 4;
/** Clients of one stream that are remembered: applications have one or a few. */
export const MAX_CLIENTS_OF_STREAM = 100;

/** What is known of a client. */
export interface KnownOrigins {
  /** Those in use in the last five minutes, in the order of their first use. */
  readonly origins: readonly ConnectionOrigin[];
  /** The client may have connected from another page at a network of which none is known, as there was no room for it. */
  readonly mayBeMore: boolean;
}

/**
 * Remembers where clients have connected from lately. Of a client, a network has a quarter of the places, and no page takes the
 * place of an earlier one that is in use, but that of the newest one of the network with most. Of too many clients, those that the
 * network with most of them was the first to connect as are forgotten.
 */
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
