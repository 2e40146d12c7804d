/**
 * Bodies of jetton messages (TEP-74; `mint` as the minters of TON have it). Amounts are decimal strings in units of the
 * jetton, addresses raw.
 */
export type JettonOperation =
  | ({ readonly type: 'transfer'; readonly destination: string } & Forwarding & Responded)
  | ({ readonly type: 'internal_transfer'; readonly from: string | null } & Forwarding & Responded)
  | ({ readonly type: 'transfer_notification'; readonly sender: string | null } & Amount & Payload)
  | ({ readonly type: 'burn' } & Amount & Responded)
  | ({ readonly type: 'burn_notification'; readonly sender: string | null } & Amount & Responded)
  | { readonly type: 'excesses'; readonly queryId: string }
  /** Asks a master for tokens; those that it sends are in its own message. */
  | { readonly type: 'mint'; readonly queryId: string; readonly destination: string }
  /** A jetton message that bounced: what the chain returns of its body contains its operation and amount. */
  | ({
      readonly type: 'bounced';
      readonly of: 'transfer' | 'internal_transfer' | 'burn' | 'burn_notification';
    } & Amount);

/**
 * A jetton wallet that its master confirms: `get_wallet_address(owner)` of the master gives its address (TEP-74). Without
 * that, anyone can send the message of a jetton wallet. Addresses are raw.
 */
export interface JettonWallet {
  readonly master: string;
  readonly owner: string;
}

/** The confirmed jetton wallets among some addresses (raw); null where the address is not one. */
export type JettonWallets = Readonly<Record<string, JettonWallet | null>>;

interface Amount {
  readonly queryId: string;
  readonly amount: string;
}

interface Responded {
  readonly responseDestination: string | null;
}

interface Payload {
  /** Base64 BoC; null when empty. */
  readonly forwardPayload: string | null;
  /** The forward payload as text, when it is a comment. */
  readonly comment: string | null;
}

interface Forwarding extends Amount, Payload {
  /** Nanotons sent on with the notification. */
  readonly forwardAmount: string;
  /** Base64 BoC; always null in `internal_transfer`, which has no such field. */
  readonly customPayload: string | null;
}

/** Operation codes of TEP-74. */
export const JETTON_OP = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  transferNotification: 0x7362d09c,
  burn: 0x595f07bc,
  burnNotification: 0x7bdd97de,
  excesses: 0xd53276db,
} as const;
