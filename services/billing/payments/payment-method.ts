import { z } from 'zod';
import { isSolanaAddress, parseTonAddress } from '../../../contracts/account/address';
import {
  accountKey,
  SOLANA_NETWORKS,
  TON_NETWORKS,
  type AccountRef,
} from '../../../contracts/network/network';

const NATIVE = 'native';
/** Of TON and SOL: https://docs.ton.org/v3/concepts/dive-into-ton/ton-blockchain/blockchain-of-blockchains, https://solana.com/docs/references/terminology#lamport */
const NATIVE_DECIMALS = 9;

const tonAddress = z.string().transform((text, context) => {
  const parsed = parseTonAddress(text);
  if (parsed) return parsed.raw;
  context.addIssue({ code: 'custom', message: 'must be a TON address' });
  return z.NEVER;
});
const solanaAddress = z.string().refine(isSolanaAddress, 'must be a Solana address');

const common = {
  /** The instance's currency. One unit of the asset pays one unit of it. */
  currency: z.string(),
  /** Decimals of a jetton or mint. */
  decimals: z.int().min(0).max(30).optional(),
};

/** How fees are paid: by transfers of the asset to the address, with the id of the fee as comment or memo. */
export const paymentMethod = z
  .discriminatedUnion('chain', [
    z.strictObject({
      chain: z.literal('ton'),
      network: z.enum(TON_NETWORKS),
      address: tonAddress,
      /** `native`, or the address of the jetton's master. */
      asset: z.union([z.literal(NATIVE), tonAddress]),
      ...common,
    }),
    z.strictObject({
      chain: z.literal('solana'),
      network: z.enum(SOLANA_NETWORKS),
      address: solanaAddress,
      /** `native`, or the mint. */
      asset: z.union([z.literal(NATIVE), solanaAddress]),
      ...common,
    }),
  ])
  .refine(({ asset, decimals }) => (asset === NATIVE) === (decimals === undefined), {
    path: ['decimals'],
    message: 'required for a jetton or a mint, and not allowed for native coins',
  })
  .transform(({ decimals = NATIVE_DECIMALS, ...method }) => ({ ...method, decimals }));
export type PaymentMethod = z.output<typeof paymentMethod>;

/** The account that receives the payments. */
export function accountOf({ chain, network, address }: PaymentMethod): AccountRef {
  return { chain, network, address } as AccountRef;
}

export function keyOf(method: PaymentMethod): string {
  return accountKey(accountOf(method));
}
