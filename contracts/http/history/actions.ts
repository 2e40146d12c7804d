import { z } from 'zod';
import { TON_ACTION_KINDS } from '../../chain/ton-action';
import { tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { logicalTime, tonAddress, tonNetwork } from '../ton/fields';
import { LOCAL } from '../local-accounts';
import { writtenNumber } from '../../text/written-number';

/** A decimal integer in the smallest unit of its asset. */
const integer = z.string().regex(/^\d+$/);
/** User-friendly (TEP-2). */
const address = z.string();

const asset = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ton') }),
  z.object({ type: z.literal('extra_currency'), id: z.string() }),
  z.object({ type: z.literal('jetton'), master: address }),
  z.object({ type: z.literal('nft'), address }),
]);

const part = z.object({
  kind: z.enum(TON_ACTION_KINDS),
  /** `pending` until everything that the transaction caused is known. */
  status: z.enum(['pending', 'success', 'failed']),
  sender: address.nullable(),
  /** The intended one when it failed. */
  receiver: address.nullable(),
  asset: asset.nullable(),
  amount: integer.nullable(),
  /** What the account got in exchange: also the jettons of a liquid pool, or of staked USDe, for a stake. */
  received: z.object({ asset, amount: integer }).nullable(),
  /** What a liquid pool or the vault of USDe owes for what was given up; null where rounds of the pool decide when it pays. */
  owed: z.object({ asset, amount: integer, payableAt: z.iso.datetime().nullable() }).optional(),
  comment: z.string().nullable(),
  /** Nanotons beside the amount: what reached the receiver with tokens, or came with an extra currency. */
  forwarded: integer,
});

const ref = z.object({ lt: z.string(), hash: z.string() });

const action = z
  .object({
    ...part.shape,
    ...ref.shape,
    time: z.iso.datetime(),
    /**
     * Nanotons that the owner paid and no receiver got. Until the trace is complete, and when somebody else began it, the
     * fees of the account's own transactions.
     */
    fee: z.string().regex(/^-?\d+$/),
    /** Each thing that the owner requested in the transaction. */
    parts: z.array(part),
    /** The account's own transactions that this one caused. */
    members: z.array(ref),
  })
  .meta({ id: 'TonAction' });

export type HttpTonAction = z.output<typeof action>;

const MAX_PAGE_SIZE = 100;
const size = z.int().min(1).max(MAX_PAGE_SIZE);

export const tonActions = endpoint({
  group: 'TON: transactions, status, configuration, contracts',
  method: 'GET',
  path: '/actions/{address}',
  summary: 'Actions of a TON account, newest first: each is a transaction together with everything it caused',
  examples: [
    { params: { address: LOCAL.alice }, query: { limit: '16', network: 'mainnet' } },
    {
      params: { address: LOCAL.alice },
      query: { cursor: '47000000000003', since: '2026-01-01T00:00:00Z', limit: '16', network: 'mainnet' },
    },
  ],
  params: z.object({ address: tonAddress }),
  query: z.object({
    /** The `cursor` of an earlier page: a logical time, exclusive. */
    cursor: logicalTime.optional(),
    /** Only actions that began at this instant or later. */
    since: z.iso.datetime({ offset: true }).optional(),
    limit: writtenNumber.pipe(size).default(16),
    /** Default: testnet for a test-only address, otherwise mainnet. */
    network: tonNetwork.optional(),
  }),
  etag: true,
  response: z.object({
    actions: z.array(action),
    /** Where to continue; null when nothing older is asked for, or exists. */
    cursor: z.string().nullable(),
    /** Always true: a page of which something is missing is a 503. */
    complete: z.literal(true),
  }),
  errors: ['network_mismatch'],
  watches: true,
  needs: ({ params, query }) => [tonAccount(params.address, query.network, '/query/network')],
});
