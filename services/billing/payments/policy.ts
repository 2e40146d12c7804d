import { z } from 'zod';
import { isSolanaAddress, parseTonAddress } from '../../../contracts/address';
import { accountKey, SOLANA_NETWORKS, TON_NETWORKS, type AccountRef } from '../../../contracts/network';

const NATIVE = 'native';
/** Of TON and SOL: https://docs.ton.org/v3/concepts/dive-into-ton/ton-blockchain/blockchain-of-blockchains, https://solana.com/docs/references/terminology#lamport */
const NATIVE_DECIMALS = 9;

const tonAddress = z.string().transform((text, context) => {
  const parsed = parseTonAddress(text);
  if (parsed) return parsed.raw;
  context.addIssue({ code: 'custom', message: 'an address of TON' });
  return z.NEVER;
});
const solanaAddress = z.string().refine(isSolanaAddress, 'an address of Solana');

const common = {
  /** What one whole unit of the asset is worth one of: the instance's currency. */
  currency: z.string(),
  /** Places of the asset after the point. Those of TON and SOL are known. */
  decimals: z.int().min(0).max(30).optional(),
};

/** A way of paying fees: what arrives at the address in this asset, with the id of a fee as its comment or memo. */
export const feePayment = z
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
    message: 'must be given for a jetton or a mint, and only then',
  })
  .transform(({ decimals = NATIVE_DECIMALS, ...payment }) => ({ ...payment, decimals }));
export type FeePayment = z.output<typeof feePayment>;

/** The account that a way of paying watches. */
export function accountOf({ chain, network, address }: FeePayment): AccountRef {
  return { chain, network, address } as AccountRef;
}

export function keyOf(way: FeePayment): string {
  return accountKey(accountOf(way));
}
