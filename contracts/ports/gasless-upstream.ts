/** A relayer that somebody else runs. Addresses are raw, keys and cells hexadecimal. */
export interface GaslessUpstream {
  /** @throws UpstreamUnavailable */
  config(): Promise<UpstreamConfig>;
  /** @throws UpstreamRefused, UpstreamUnavailable */
  estimate(asked: UpstreamEstimate): Promise<UpstreamQuote>;
  /**
   * Sent once, never repeated here.
   * @throws UpstreamRefused: it was not taken; UpstreamUnavailable: nobody knows whether it was
   */
  send(posted: UpstreamSend): Promise<void>;
}

export interface UpstreamConfig {
  readonly jettons: readonly string[];
  readonly relay: string;
}

export interface UpstreamEstimate {
  readonly wallet: string;
  readonly publicKey: string;
  readonly master: string;
  /** A `MessageRelaxed`. */
  readonly message: string;
  /** Who asks: callers take turns. */
  readonly caller: string;
}

export interface UpstreamQuote {
  readonly relay: string;
  readonly wallet: string;
  /** Smallest units of the jetton. */
  readonly commission: bigint;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly messages: readonly UpstreamMessage[];
}

/** What the wallet is to sign. */
export interface UpstreamMessage {
  readonly address: string;
  /** Nanotons. */
  readonly amount: bigint;
  readonly payload: string | null;
  readonly stateInit: string | null;
}

export interface UpstreamSend {
  readonly publicKey: string;
  /** The external message that carries the request. */
  readonly boc: string;
  /** Who posts: callers take turns. */
  readonly caller: string;
}

/** It has understood, and does not do it. The message is for the log alone. */
export class UpstreamRefused extends Error {
  override readonly name = 'UpstreamRefused';
  constructor(
    readonly reason: 'not-enough' | 'try-later' | 'cooldown',
    message: string,
  ) {
    super(message);
  }
}

/** There is no answer, or none that can be read. */
export class UpstreamUnavailable extends Error {
  override readonly name = 'UpstreamUnavailable';
}
