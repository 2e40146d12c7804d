import { z } from 'zod';
import { networkOf, ownedJetton, tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { IMAGE_RESPONSE_HEADERS, imageDigest } from './images';
import { isTestnetText, logicalTime, tonAddress, tonOfAddress } from '../ton/fields';
import { LOCAL } from '../local-accounts';
import { writtenNumber } from '../../text/written-number';

export const TOKENS = 'TON tokens';
const group = TOKENS;
const errors = ['network_mismatch', 'source_wrong_network'] as const;

const isTestnet = z.boolean().optional();
export const units = z.string().regex(/^\d+$/).meta({ description: 'Smallest units, decimal' });
export const observedAt = z.iso.datetime().meta({ description: 'When it was read from the chain' });
/** Wallets send the newest block that they know. */
const seqno = z.int().min(0).optional();

export const jettonWalletAddress = endpoint({
  group,
  method: 'POST',
  path: '/jettons/wallet/address',
  summary:
    'The jetton wallet of an owner according to the master, deployed or not. Null where the contract is not a jetton master',
  examples: [{ body: { address: LOCAL.alice, master: LOCAL.dollar, isTestnet: false, seqno: 1 } }],
  body: z.object({
    /** The owner. */
    address: tonAddress,
    master: tonAddress,
    isTestnet,
    seqno,
  }),
  response: z.object({ address: z.string() }).nullable(),
  errors: [...errors, 'rate_limited'],
  needs: ({ body }) => [
    ownedJetton(body.address, body.master, networkOf(body.isTestnet), '/body/isTestnet').owner,
  ],
});

const image = z.object({ blurhash: z.string(), preview256: z.string() }).nullish();

const metadataFields = z.object({
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  description: z.string().nullish(),
  /** Null when nobody knows: amounts can then not be shown. */
  decimals: z.number().nullish(),
  /** URL. */
  originalImage: z.string().nullish(),
  image,
});

const poolAsset = z.discriminatedUnion('type', [
  z.object({ type: z.literal('native') }),
  z.object({ type: z.literal('jetton'), address: z.string(), metadata: metadataFields }),
]);

const jettonMetadataResponse = metadataFields.extend({
  /** Of a share of a pool, the two assets in it, and the exchange that confirms it. */
  assets: z.tuple([poolAsset, poolAsset]).optional(),
  pool: z.enum(['dedust', 'ston-fi']).optional(),
  /** Smallest units. */
  totalSupply: units.optional(),
  mintable: z.boolean().optional(),
  /** Absent for a jetton without an owner. */
  admin: z.string().optional(),
  /** Absent where the contract is not a jetton master. */
  address: z.string().optional(),
  at: observedAt.optional(),
});
export type JettonMetadata = z.output<typeof jettonMetadataResponse>;

export const jettonMetadata = endpoint({
  group,
  method: 'GET',
  path: '/jettons/metadata',
  summary:
    'Metadata of a jetton from the chain, a document, or both (TEP-64). All null where the contract is not a jetton master',
  examples: [{ query: { address: LOCAL.dollar, isTestnet: 'false' } }],
  query: z.object({ address: tonAddress, isTestnet: isTestnetText }),
  response: jettonMetadataResponse,
  errors: [...errors, 'rate_limited'],
  needs: ({ query }) => [tonAccount(query.address, networkOf(query.isTestnet), '/query/isTestnet')],
});

export const tokenImage = endpoint({
  group,
  method: 'GET',
  path: '/tokens/image',
  summary:
    'The image that a jetton or an NFT item contains (`image_data` of TEP-64), decoded and encoded again, at most 512 pixels a side',
  examples: [{ query: { address: LOCAL.dollar, digest: '0f'.repeat(16), isTestnet: 'false' } }],
  query: z.object({
    address: tonAddress,
    digest: imageDigest.optional().meta({
      description:
        'As in the URL of the image in the metadata of a token; no token of the local networks has one',
    }),
    isTestnet: isTestnetText,
  }),
  kind: 'raw',
  contentType: 'image/webp',
  responseHeaders: IMAGE_RESPONSE_HEADERS,
  errors: [...errors, 'rate_limited', 'token_image_not_found'],
  needs: ({ query }) => [tonAccount(query.address, networkOf(query.isTestnet), '/query/isTestnet')],
});

const jettonWalletResponse = z.object({
  balance: units,
  owner: z.string(),
  master: z.string(),
  address: z.string(),
  at: observedAt,
  metadata: metadataFields.optional(),
});
export type JettonWalletResponse = z.output<typeof jettonWalletResponse>;

export const jettonWallet = endpoint({
  group,
  method: 'GET',
  path: '/jettons/wallet/{walletAddress}',
  summary:
    'A jetton wallet confirmed by its master: balance, owner, master and metadata. Null where no master confirms it',
  examples: [{ params: { walletAddress: LOCAL.aliceDollars }, query: { isTestnet: 'false', seqno: '1' } }],
  params: z.object({ walletAddress: tonAddress }),
  query: z.object({
    isTestnet: isTestnetText,
    seqno: writtenNumber.pipe(z.int().min(0)).optional(),
  }),
  response: jettonWalletResponse.nullable(),
  errors: [...errors, 'rate_limited'],
  needs: ({ params, query }) => [
    tonAccount(params.walletAddress, networkOf(query.isTestnet), '/query/isTestnet'),
  ],
});

const inDollars = <T extends z.ZodType>(value: T) => z.object({ USD: value }).partial();

/** As `POST /v2/rates` has it, in dollars alone: wallets convert it with `GET /v2/price`. */
const hintPrice = z.object({
  prices: inDollars(z.number().positive()),
  /** Absent where no price of then is known. */
  diff24h: inDollars(z.string()),
  diff7d: inDollars(z.string()),
  diff30d: inDollars(z.string()),
  /** When the sources last agreed on it. */
  at: observedAt,
});
export type HintPrice = z.output<typeof hintPrice>;

export const hint = z.object({
  balance: units,
  /** Absent for a jetton without one. */
  price: hintPrice.optional(),
  /** When the balance was read. */
  at: observedAt,
  walletAddress: z.object({
    /** The jetton wallet. */
    address: z.string(),
    isScam: z.boolean(),
    isWallet: z.boolean(),
    name: z.string().optional(),
    icon: z.string().optional(),
  }),
  jetton: z.object({
    /** The master. */
    address: z.string(),
    name: z.string(),
    symbol: z.string(),
    decimals: z.number(),
    image: z.string(),
    verification: z.enum(['whitelist', 'blacklist', 'none']),
    customPayloadApiUri: z.string().optional(),
  }),
  extensions: z.array(z.string()).optional(),
});
export type Hint = z.output<typeof hint>;

const fullHintsResponse = z.object({
  hints: z.array(hint),
  /** Each master and each jetton wallet, with the place of its jetton in `hints`. */
  addressesIndex: z.record(z.string(), z.int()),
});
export type FullHints = z.output<typeof fullHintsResponse>;

export const fullHints = endpoint({
  group,
  method: 'GET',
  path: '/hints/full/{address}',
  summary:
    'Jettons of an owner with their balances, including zero balances. Jettons with unknown decimals are left out',
  examples: [{ params: { address: LOCAL.alice }, query: { isTestnet: 'false' } }],
  params: z.object({ address: tonAddress }),
  query: z.object({ isTestnet: isTestnetText }),
  etag: true,
  response: fullHintsResponse,
  errors: ['network_mismatch'],
  watches: true,
  needs: tonOfAddress,
});

export const hints = endpoint({
  group,
  method: 'GET',
  path: '/hints/{address}',
  summary: 'Masters of the jettons that an owner has',
  examples: [{ params: { address: LOCAL.alice }, query: { version: '1', isTestnet: 'false' } }],
  params: z.object({ address: tonAddress }),
  query: z.object({ version: z.literal('1').optional(), isTestnet: isTestnetText }),
  response: z.object({
    hints: z.array(z.string()),
    /** Unix seconds. */
    now: z.int(),
  }),
  errors: ['network_mismatch'],
  watches: true,
  needs: tonOfAddress,
});

const extraCurrency = z.object({
  amount: units,
  at: observedAt,
  preview: z.object({
    id: z.int(),
    symbol: z.string(),
    /** 0 for a currency that the instance does not know: its amounts are in smallest units. */
    decimals: z.int(),
    image: z.string().optional(),
  }),
});
export type ExtraCurrency = z.output<typeof extraCurrency>;

export const extraCurrencyHints = endpoint({
  group,
  method: 'GET',
  path: '/hints/extra/{address}',
  summary: 'Extra currencies of an account',
  examples: [{ params: { address: LOCAL.alice }, query: { isTestnet: 'false' } }],
  params: z.object({ address: tonAddress }),
  query: z.object({ isTestnet: isTestnetText }),
  response: z.array(extraCurrency),
  errors,
  watches: true,
  needs: tonOfAddress,
});

const MAX_TRANSFERS = 100;

/** The shape of a jetton transfer in TON Center v3. Addresses are friendly, hashes and cells base64. */
const jettonTransfer = z.object({
  query_id: z.string(),
  source: z.string(),
  destination: z.string(),
  amount: units,
  /** The jetton wallet of `source`; empty when the master does not answer. */
  source_wallet: z.string(),
  jetton_master: z.string(),
  /** Of the transaction of the owner, as in history. */
  transaction_hash: z.string(),
  transaction_lt: z.string(),
  /** Unix seconds. */
  transaction_now: z.int(),
  /** The jettons were not received, or came back. */
  transaction_aborted: z.boolean(),
  /** Empty when there is none, and for what was received: a notification does not name it. */
  response_destination: z.string(),
  custom_payload: z.string().nullable(),
  forward_ton_amount: z.string(),
  forward_payload: z.string().nullable(),
  trace_id: z.string(),
});
export type JettonTransfer = z.output<typeof jettonTransfer>;

export const jettonTransfers = endpoint({
  group,
  method: 'POST',
  path: '/jettons/wallet/transactions',
  summary:
    'Transfers of a jetton to and from an owner, newest first; with `beforeLt` the page begins with the transfer at that logical time',
  examples: [
    {
      body: {
        address: LOCAL.alice,
        master: LOCAL.dollar,
        isTestnet: false,
        limit: 16,
      },
    },
    {
      body: {
        address: LOCAL.alice,
        master: LOCAL.dollar,
        isTestnet: false,
        limit: 16,
        beforeLt: '47000000000003',
      },
    },
    { body: { address: LOCAL.aliceDollars } },
  ],
  body: z.object({
    /** The owner; without `master` the jetton wallet. */
    address: tonAddress,
    master: tonAddress.optional(),
    isTestnet,
    limit: z.int().min(1).max(MAX_TRANSFERS).default(16),
    beforeLt: logicalTime.optional(),
  }),
  response: z.array(jettonTransfer),
  errors: [...errors, 'jetton_wallet_not_found'],
  watches: true,
  needs: ({ body: { address, master = address, isTestnet: given } }) => [
    ownedJetton(address, master, networkOf(given), '/body/isTestnet').owner,
  ],
});
