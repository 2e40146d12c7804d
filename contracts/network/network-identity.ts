/**
 * What identifies a network: the genesis hash of Solana (`getGenesisHash`), or the zerostate of TON (`init` of
 * `/block/latest`) as `<root hash>:<file hash>` in base64.
 */
export interface NetworkIdentity {
  /**
   * Compares what a source says of itself with the identity of the network.
   * @throws WrongNetwork when it is another
   */
  check(url: string, found: string): Promise<void>;
}

/** Several sources of one network. */
export interface VerifiedSources {
  /** Asks each of them for its identity, so that a wrong one is noticed although it is not in use. Never rejects. */
  verifySources(): Promise<void>;
  /** One line for each of them that could not be asked when it was asked last, such as one that refuses connections. */
  unreadableSources(): readonly string[];
}
