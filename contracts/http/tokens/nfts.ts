import { z } from 'zod';
import { endpoint } from '../endpoint';
import { isTestnetText, tonAddress, tonOfAddress } from '../ton/fields';
import { LOCAL } from '../local-accounts';

const MAX_ITEMS = 100;

/** Where a page ended: logical time and item. */
const cursor = z.string().regex(/^\d{1,20}_-?\d{1,3}:[0-9a-f]{64}$/, 'must be the cursor of another page');

const nftItem = z.object({
  /** The address. */
  id: z.string(),
  address: z.string(),
  ownerAddress: z.string(),
  /** Decimal, in the collection. */
  index: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  attributes: z.array(z.object({ traitType: z.string(), value: z.string() })),
  /** Empty texts for an item of no collection. `id` is its address. */
  collection: z.object({ id: z.string(), name: z.string(), description: z.string() }),
  content: z.object({
    /** The document of the item was not read so far. */
    notLoaded: z.boolean().optional(),
    lottie: z.string().optional(),
    image: z.object({ baseUrl: z.string() }).optional(),
    /** The image in full size. */
    originalUrl: z.string().optional(),
  }),
  kind: z.enum(['Single', 'CollectionItem', 'DnsItem']),
  /** When the owner was read from the chain. */
  at: z.iso.datetime(),
});
export type NftItem = z.output<typeof nftItem>;

export const nfts = endpoint({
  group: 'TON tokens',
  method: 'GET',
  path: '/nfts/{address}',
  summary:
    'NFT items of an owner (TEP-62), the most recently moved first; each is confirmed by its collection',
  examples: [
    { params: { address: LOCAL.alice }, query: { first: '10', isTestnet: 'false' } },
    {
      params: { address: LOCAL.alice },
      query: { first: '10', after: `47000000000003_0:${'0'.repeat(64)}`, isTestnet: 'false' },
    },
  ],
  params: z.object({ address: tonAddress }),
  query: z.object({
    first: z
      .string()
      .regex(/^\d{1,4}$/, `1 to ${MAX_ITEMS}`)
      .transform(Number)
      .pipe(z.int().min(1).max(MAX_ITEMS))
      .default(10),
    /** An empty one is that of the first page. */
    after: z.literal('').or(cursor).optional(),
    isTestnet: isTestnetText,
  }),
  etag: true,
  response: z.object({
    data: z.object({
      items: z.array(nftItem),
      /** Null when there are no more. */
      cursor: cursor.nullable(),
    }),
  }),
  errors: ['network_mismatch'],
  watches: true,
  needs: tonOfAddress,
});
