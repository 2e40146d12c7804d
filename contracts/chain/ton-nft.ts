/** Bodies of messages of NFT items (TEP-62). Addresses are raw. Whether it is an item that sends it is not verified. */
export type NftOperation =
  | {
      readonly type: 'transfer';
      readonly queryId: string;
      readonly newOwner: string | null;
      readonly responseDestination: string | null;
      /** Nanotons sent on with `ownership_assigned`. */
      readonly forwardAmount: string;
      readonly comment: string | null;
    }
  | {
      readonly type: 'ownership_assigned';
      readonly queryId: string;
      readonly previousOwner: string | null;
      readonly comment: string | null;
    };

/** Operation codes of TEP-62. */
export const NFT_OP = { transfer: 0x5fcc3d14, ownershipAssigned: 0x05138d91 } as const;
