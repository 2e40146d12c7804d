import { z } from 'zod';
import { SOLANA_BESIDE } from '../../network/network';
import { tonAccount } from '../../account/ton-account';
import { cardEventOfHistory, cardId } from '../card/accounts';
import { cardToken, EXAMPLE_CARD_TOKEN } from '../card/mount';
import { endpoint } from '../endpoint';
import { solanaAddress, solanaSignature, solanaTransaction } from '../solana/solana';
import { storedTransaction } from './stored-transaction';
import { hash256, logicalTime, tonAddress, tonNetwork } from '../ton/fields';
import { LOCAL } from '../local-accounts';
import { writtenNumber } from '../../text/written-number';

const group = 'TON: transactions, status, configuration, contracts';
const params = z.object({ address: tonAddress });
const errors = ['network_mismatch'] as const;

const MAX_PAGE_SIZE = 100;
const size = z.int().min(1).max(MAX_PAGE_SIZE);

const tonCursor = z.object({
  lt: logicalTime.optional().meta({
    description:
      'Logical time of the last transaction received, which is the first one of the next page again, as with TON nodes: a page of one does not advance',
  }),
  hash: hash256.optional(),
});
/** Default: testnet for a test-only address, otherwise mainnet. */
const network = tonNetwork.optional();
const query = z.object({
  ...tonCursor.shape,
  limit: writtenNumber.pipe(size).default(16),
  network,
});

const onChain = [
  z.object({ type: z.literal('ton'), data: storedTransaction }),
  z.object({ type: z.literal('solana'), data: solanaTransaction }),
] as const;
const historyItem = z.discriminatedUnion('type', onChain).meta({ id: 'HistoryItem' });
export type HistoryItem = z.output<typeof historyItem>;

const cardItem = z.object({ type: z.literal('holders'), data: cardEventOfHistory });
export type CardHistoryItem = z.output<typeof cardItem>;
const historyItemV2 = z.discriminatedUnion('type', [...onChain, cardItem]).meta({ id: 'HistoryItemV2' });

const pageV1 = z.object({ transactions: z.array(storedTransaction) });
export type TonPageV1 = z.output<typeof pageV1>;

/** Between the first transactions of local accounts. */
const EXAMPLE_CURSOR = { lt: '20000000', hash: 'ab'.repeat(32) };
const EXAMPLE_SIGNATURE = '1'.repeat(64);
const exampleParams = { address: LOCAL.alice };
const exampleQuery = { limit: '16', network: 'mainnet' };
/** The first page, then one that continues. */
const examplePages = [
  { params: exampleParams, query: exampleQuery },
  { params: exampleParams, query: { ...EXAMPLE_CURSOR, ...exampleQuery } },
];

export const historyV1 = endpoint({
  group,
  method: 'GET',
  path: '/transactions/{address}',
  summary:
    'Transactions of a TON account, newest first; to continue, pass `lt` (and `hash`) of the last one, with which the next page starts',
  examples: examplePages,
  params,
  query,
  etag: true,
  response: pageV1,
  errors,
  watches: true,
  needs: ({ params, query }) => [tonAccount(params.address, query.network, '/query/network')],
});

export const historyV1Post = endpoint({
  group,
  method: 'POST',
  path: '/transactions/{address}',
  operationId: 'queryTransactions',
  summary: 'The same, with the cursor in the body',
  examples: [
    { params: exampleParams, body: { limit: 16, network: 'mainnet' } },
    { params: exampleParams, body: { ...EXAMPLE_CURSOR, limit: 16, network: 'mainnet' } },
  ],
  params,
  body: z.object({ ...tonCursor.shape, limit: size.default(16), network }).prefault({}),
  response: pageV1,
  errors,
  watches: true,
  needs: ({ params, body }) => [tonAccount(params.address, body.network, '/body/network')],
});

/** Of the last card event received. */
const cardCursor = z.object({
  fromCursor: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\/\d{15}$/)
    .nullish(),
});
const mergedCursor = z.object({ ton: tonCursor.optional(), holders: cardCursor.optional() });
export type MergedCursor = z.output<typeof mergedCursor>;

const pageV2 = z.object({
  data: z.array(historyItemV2),
  hasMore: z.boolean(),
  /** Absent on the last page. */
  cursor: mergedCursor.optional(),
});
export type TonPageV2 = z.output<typeof pageV2>;

/** Milliseconds since 1970, as text, or RFC 3339. */
const time = z.union([z.iso.datetime(), z.string().regex(/^\d{1,13}$/)]);
const ids = z.array(cardId).max(100);
const cardSelection = z.object({
  from: time.optional(),
  to: time.optional(),
  accountIds: ids
    .optional()
    .meta({ description: 'Card events of these accounts and their cards; default: of all' }),
  cardIds: ids.optional().meta({ description: 'Also those of these cards' }),
  type: z.enum(['ton', 'solana']).optional().meta({ description: 'Transactions of this chain alone' }),
});
export type CardSelection = z.output<typeof cardSelection>;

export const historyV2 = endpoint({
  group,
  method: 'GET',
  path: '/transactions/v2/{address}',
  summary:
    'Transactions of a TON account in the newer format; to continue, pass `lt` (and `hash`) of the last one, with which the next page starts',
  examples: examplePages,
  params,
  query,
  etag: true,
  response: pageV2,
  errors,
  watches: true,
  needs: ({ params, query }) => [tonAccount(params.address, query.network, '/query/network')],
});

export const historyV2Post = endpoint({
  group,
  method: 'POST',
  path: '/transactions/v2/{address}',
  operationId: 'queryTransactionsV2',
  summary:
    'The same, with the cursor in the body, and with the `token` of the card service in one order of time with the card events of its holder. They are shown to wallets that the holder has enrolled; to continue, pass `cursor`',
  examples: [
    { params: exampleParams, body: { limit: 16, network: 'mainnet' } },
    { params: exampleParams, body: { cursor: { ton: EXAMPLE_CURSOR }, limit: 16, network: 'mainnet' } },
    { params: exampleParams, body: { token: EXAMPLE_CARD_TOKEN, cursor: {}, limit: 16, network: 'mainnet' } },
  ],
  params,
  body: z
    .object({
      cursor: mergedCursor.optional(),
      token: cardToken.optional(),
      params: cardSelection.prefault({}),
      limit: size.default(16),
      network,
    })
    .prefault({}),
  response: pageV2,
  errors: [...errors, 'card_token_invalid', 'rate_limited'],
  watches: true,
  needs: ({ params, body }) => [tonAccount(params.address, body.network, '/body/network')],
});

const before = solanaSignature.nullish();
const address = z.union([z.literal(''), solanaAddress]);

const unifiedCursor = z.object({
  ton: tonCursor.optional(),
  solana: z.object({ before }).optional().meta({
    description:
      'The last transaction received that does not move the token; null or absent when there is none yet',
  }),
  solanaToken: z.object({ before, mint: solanaAddress.optional() }).optional().meta({
    description:
      'The last transaction received that moves the token `mint`, default USDC. The page holds what is older than both',
  }),
});
export type UnifiedCursor = z.output<typeof unifiedCursor>;

const pageV3 = z.object({
  data: z.array(historyItem),
  hasMore: z.boolean(),
  cursor: unifiedCursor.optional(),
  notServed: z
    .array(z.enum(['ton', 'solana']))
    .optional()
    .meta({
      description:
        'Chains of which nothing is in the history, because this instance does not serve this network of theirs; the other chain is complete. Where it serves neither, the call is refused',
    }),
});
export type WalletPage = z.output<typeof pageV3>;

export const historyV3 = endpoint({
  group,
  method: 'POST',
  path: '/transactions/v3',
  operationId: 'queryTransactionsV3',
  summary:
    'One history of TON, SOL and SPL tokens, newest first. It has each Solana transaction that `getSignaturesForAddress` lists for `solanaAddress` or `solanaATAaddress`, once and without consensus votes. Transactions that reached only other token accounts of the owner are in the lists of those (`/solana/transactions/{network}`)',
  examples: [
    {
      body: {
        account: { tonAddress: LOCAL.alice, solanaAddress: LOCAL.solanaAlice },
        network: 'mainnet',
        cursor: {},
        limit: 32,
      },
    },
    {
      body: {
        account: {
          tonAddress: LOCAL.alice,
          solanaAddress: LOCAL.solanaAlice,
          solanaATAaddress: LOCAL.solanaBob,
        },
        network: 'mainnet',
        cursor: {
          ton: EXAMPLE_CURSOR,
          solana: { before: EXAMPLE_SIGNATURE },
          solanaToken: { before: EXAMPLE_SIGNATURE, mint: LOCAL.solanaDollar },
        },
        limit: 32,
      },
    },
  ],
  body: z.object({
    account: z.object({
      tonAddress,
      /** Empty when there is none. */
      solanaAddress: address,
      solanaATAaddress: address.optional(),
    }),
    network: tonNetwork,
    cursor: unifiedCursor.prefault({}),
    limit: size.default(32),
  }),
  response: pageV3,
  errors,
  watches: true,
  needs: ({ body: { account, network } }) => [
    tonAccount(account.tonAddress, network, '/body/network'),
    ...(account.solanaAddress || account.solanaATAaddress
      ? [{ chain: 'solana', network: SOLANA_BESIDE[network] } as const]
      : []),
  ],
});
