import { z } from 'zod';

/** A final transfer to a watched address, as on its chain. Addresses are normalised. */
export interface Payment {
  /** The key of the account it arrived at. */
  readonly account: string;
  /** Hash (TON, base64) or signature (Solana). */
  readonly transaction: string;
  /** `native`; the mint (Solana); or the sender of the notification (TON), which is unverified: any contract can send one. */
  readonly asset: string;
  /** In the smallest unit of the asset. */
  readonly amount: string;
  readonly memo: string;
}

/** The data of a job: the payment itself on TON, the inclusion of the transaction on Solana. */
export const paymentJob = z.discriminatedUnion('chain', [
  z.object({
    chain: z.literal('ton'),
    account: z.string(),
    transaction: z.string(),
    asset: z.string(),
    amount: z.string(),
    memo: z.string(),
  }),
  z.object({
    chain: z.literal('solana'),
    network: z.enum(['mainnet', 'devnet']),
    address: z.string(),
    signature: z.string(),
    blockhash: z.string(),
  }),
]);
export type PaymentJob = z.output<typeof paymentJob>;
