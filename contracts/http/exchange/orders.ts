import type { Quota } from '../../quota';
import { z } from 'zod';
import { EXCHANGE_ORDER_STATUSES } from '../../events/exchange-order';
import { endpoint } from '../endpoint';
import { LEDGER_POSITION } from '../billing/ledger-position';
import {
  changellyAlias,
  EXCHANGE,
  exchangeAmount,
  exchangeTarget,
  sandbox as ofDouble,
  ticker,
} from './fields';
import { solanaAddress } from '../solana/solana';
import { tonAddress } from '../ton/fields';
import { LOCAL } from '../local-accounts';

/** Exchanges that an address orders, and those that it has refreshed. */
export const EXCHANGE_ORDERS: Quota = {
  name: 'exchange_orders',
  of: 'exchange orders',
  by: 'address',
  perMinute: 20,
};
export const EXCHANGE_REFRESHES: Quota = {
  name: 'exchange_refreshes',
  of: 'refreshes of exchange orders',
  by: 'address',
  perMinute: 120,
};

const MAX_KEY = 128;
const idempotencyKey = z
  .string()
  .regex(new RegExp(`^[\\x21-\\x7e]{1,${MAX_KEY}}$`), `1 to ${MAX_KEY} printable ASCII characters`)
  .meta({
    description:
      'Chosen by the client for one order: the same key, wallet and terms always mean the same order, from whatever address. With other terms it is a 409 for the caller who has used it, and another order for others',
  });

const walletAddress = z.union([tonAddress, solanaAddress], 'a TON or Solana address');

const isTestnet = z
  .literal(false, 'orders are of mainnet only')
  .nullish()
  .meta({ description: 'Wallets send it; orders are of mainnet only' });

const text = z.string();
const unknownYet = z.string().nullable().meta({ description: 'Null until it is known' });
const status = z.enum(EXCHANGE_ORDER_STATUSES);
const instant = z.iso.datetime();
const sandbox = ofDouble.meta({
  description: '`true`: the partner is a double; pay nothing to `payinAddress`',
});
const payinExtraId = z.string().nullable().meta({ description: 'Memo or tag that the payment must carry' });

/** Amounts are decimal strings in whole units of their currency. */
export const exchangeOrder = z
  .object({
    id: text,
    status,
    description: z.string().nullable().meta({ description: 'What the user should know or do' }),
    fromCurrency: text,
    toCurrency: text,
    network: z.string().nullable().meta({ description: 'The blockchain of `fromCurrency`' }),
    payinAddress: text,
    payinExtraId,
    payoutAddress: text,
    amountFrom: unknownYet.meta({ description: 'As received by the partner' }),
    amountTo: unknownYet.meta({ description: 'As paid out' }),
    amountExpectedFrom: z.string().nullable(),
    amountExpectedTo: z.string().nullable(),
    exchangeRate: z.string().nullable().meta({
      description:
        'Price of one unit of `toCurrency` in `fromCurrency`: first the expected one, then the actual one. The `rate` of estimates and of a created order goes the other way',
    }),
    payinHash: unknownYet,
    payoutHash: unknownYet,
    networkFee: unknownYet,
    changellyFee: unknownYet,
    apiExtraFee: unknownYet,
    totalFee: unknownYet,
    error: z.string().nullable().meta({ description: 'Why the exchange failed' }),
    trackUrl: z.string().nullable().meta({ description: "The order's page at the partner" }),
    sandbox,
    createdAt: instant,
    updatedAt: instant,
    expiresAt: instant.meta({ description: 'A later payment may not be accepted' }),
  })
  .meta({ id: 'ExchangeOrder' });

/** Wallets need text where nothing is known yet: amounts are then those expected, and fees 0. */
const createdOrder = z
  .object({
    _id: text,
    id: text,
    status,
    fromCurrency: text,
    toCurrency: text,
    network: text,
    amountFrom: text,
    amountTo: text,
    amountExpectedFrom: text,
    amountExpectedTo: text,
    exchangeFee: text,
    rate: z.string().meta({
      description:
        'How much of `toCurrency` one unit of `fromCurrency` buys. The `exchangeRate` of its details goes the other way',
    }),
    payinAddress: text,
    payinExtraId,
    payoutAddress: text,
    refundAddress: z.string().meta({ description: 'Empty: the partner asks the payer for one' }),
    payinHash: unknownYet,
    payoutHash: unknownYet,
    networkFee: text,
    changellyFee: unknownYet,
    apiExtraFee: text,
    totalFee: text,
    error: z.string().nullable(),
    requestParams: z.object({
      id: text,
      from: text,
      to: text,
      amount: text,
      address: text,
      refundAddress: text,
    }),
    /** As wallets spell it. */
    indempotencyKey: text,
    wallet: text,
    trackUrl: z.string().nullable(),
    sandbox,
    createdAt: instant,
    updatedAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'CreatedExchangeOrder' });

/** The order that the example of a new one makes. */
const EXAMPLE_ORDER = '04238568-b61d-581b-be10-d8f6172d0b0d';

const createPath = '/exchange/transaction/create';
export const createExchangeOrder = endpoint({
  ...EXCHANGE,
  method: 'POST',
  path: createPath,
  aliases: changellyAlias(createPath),
  summary:
    'Creates an exchange order. Repeated with the same `idempotencyKey`, wallet and terms, it answers with the same order',
  examples: [
    {
      body: {
        fromCurrency: 'eth',
        toCurrency: 'ton',
        network: 'ethereum',
        // The double of the partner plays an order of it that nobody pays.
        amount: '1.000004',
        idempotencyKey: '482915371',
        wallet: LOCAL.aliceWallet,
        isTestnet: false,
      },
    },
  ],
  body: z.object({
    fromCurrency: ticker,
    toCurrency: exchangeTarget,
    network: z
      .string()
      .max(64)
      .regex(/^[\x20-\x7e]*$/, 'must be the name of a blockchain')
      .meta({ description: 'The blockchain of `fromCurrency`, as `/exchange/currencies` names it' }),
    amount: exchangeAmount.meta({ description: 'Of `fromCurrency`' }),
    idempotencyKey,
    wallet: walletAddress.meta({ description: 'Receives `toCurrency`; an address of its chain' }),
    isTestnet,
  }),
  response: createdOrder,
  responseHeaders: LEDGER_POSITION,
  rateLimit: EXCHANGE_ORDERS,
  errors: [
    'network_mismatch',
    'exchange_limit',
    'exchange_refused',
    'exchange_key_reused',
    'exchange_order_abandoned',
    'too_many_exchange_orders',
    'exchange_order_pending',
    'exchange_unavailable',
    'exchange_not_configured',
  ],
});

const orderId = z.uuid().meta({ example: EXAMPLE_ORDER });
const MAX_ID = 64;
/** What is no id is an unknown order. */
const anyOrder = z.string().min(1).max(MAX_ID).optional();

/** An order by any of the names that clients use for its id. */
const identified = {
  transactionId: anyOrder.meta({ description: 'The id of an order' }),
  orderId: anyOrder.meta({ description: 'Another name for `transactionId`' }),
  id: anyOrder.meta({ description: 'Another name for `transactionId`' }),
};

const detailsPath = '/exchange/transaction/details';
export const exchangeOrderDetails = endpoint({
  ...EXCHANGE,
  method: 'POST',
  path: detailsPath,
  aliases: changellyAlias(detailsPath),
  summary: 'The last known state of an order, without asking the partner',
  examples: [{ body: { transactionId: EXAMPLE_ORDER } }],
  body: z.object({
    ...identified,
    wallet: walletAddress
      .nullish()
      .meta({ description: 'If given, an order of another wallet is not found' }),
  }),
  response: z.object({ ok: z.literal(true), data: exchangeOrder }),
  minPosition: true,
  errors: ['exchange_order_not_found', 'network_mismatch'],
});

const resolvePath = '/exchange/transaction/resolve';
export const resolveExchangeOrder = endpoint({
  ...EXCHANGE,
  method: 'POST',
  path: resolvePath,
  aliases: changellyAlias(resolvePath),
  summary: 'Closes an order for its user, or refreshes it from the partner',
  examples: [{ body: { transactionId: EXAMPLE_ORDER } }],
  body: z.object({
    ...identified,
    wallet: walletAddress.nullish().meta({
      description:
        'The wallet of the order: its user closes the order. Absent: the status is refreshed. One that was not made from the same address on the same day (UTC) is closed only once it is expired, overdue or refunded, and refreshed otherwise',
    }),
    resolution: z.literal('dismissed').nullish().meta({ description: 'The user closes the order' }),
  }),
  response: z.object({ ok: z.literal(true), status, data: exchangeOrder }),
  responseHeaders: { 'X-Ledger-Position': 'The position after the change, if there was one' },
  rateLimit: EXCHANGE_REFRESHES,
  errors: ['exchange_order_not_found', 'network_mismatch'],
});

/** Orders of a list. */
export const MAX_LISTED_ORDERS = 100;
const MAX_OFFSET = 10_000;

const listPath = '/exchange/transactions';
export const listExchangeOrders = endpoint({
  ...EXCHANGE,
  method: 'POST',
  path: listPath,
  aliases: changellyAlias(listPath),
  summary:
    'Orders of a wallet, with amounts and hashes, for everybody who knows its address. Newest first: open ones and those that ended recently',
  examples: [
    { body: { address: LOCAL.aliceWallet, network: 'mainnet', limit: 10 } },
    {
      body: {
        wallet: { ton: LOCAL.aliceWallet, solana: LOCAL.solanaAlice },
        limit: 10,
        offset: 0,
        status: 'waiting',
      },
    },
  ],
  body: z.object({
    address: walletAddress.nullish(),
    network: z.literal('mainnet', 'orders are of mainnet only').nullish(),
    wallet: z
      .object({ ton: tonAddress, solana: solanaAddress.nullish() })
      .nullish()
      .meta({ description: 'The wallet on both chains; instead of `address`' }),
    isTestnet,
    status: status.nullish().meta({
      description:
        'Orders of this status, of any age. Absent: those that may still move or need their user, finished and returned ones for a day, failed and unpaid ones for a week; none that the user has closed',
    }),
    limit: z.int().min(1).max(MAX_LISTED_ORDERS).nullish().meta({
      description:
        'Default: 50. Of more, pages begin with those that are paid or were asked for from the network of the caller',
    }),
    offset: z.int().min(0).max(MAX_OFFSET).nullish().meta({ description: 'Default: 0' }),
  }),
  response: z.object({ ok: z.literal(true), data: z.array(exchangeOrder) }),
  minPosition: true,
  errors: ['network_mismatch'],
});

/** States of an order that its history has. */
export const MAX_ORDER_STATES = 200;

const historyPath = '/exchange/transaction/{orderId}/history';
export const exchangeOrderHistory = endpoint({
  ...EXCHANGE,
  method: 'GET',
  path: historyPath,
  aliases: changellyAlias(historyPath),
  summary: `Observed states of an order, oldest first: the last ${MAX_ORDER_STATES}`,
  examples: [{ params: { orderId: EXAMPLE_ORDER } }],
  params: z.object({ orderId }),
  response: z.object({
    ok: z.literal(true),
    id: text,
    status,
    sandbox,
    states: z.array(
      z.object({
        at: instant,
        kind: z
          .enum(['placed', 'adopted', 'status', 'anomaly', 'payin', 'payout', 'expiry_passed', 'resolved'])
          .meta({
            description:
              '`adopted`: found at the partner after its answer was lost; `anomaly`: the partner said what cannot follow',
          }),
        status: status.optional().meta({ description: 'Shown from then on' }),
        observed: z
          .string()
          .optional()
          .meta({ description: 'Of an anomaly: the status as the partner spelled it' }),
        hash: z.string().optional().meta({ description: 'Of the transaction of a payment' }),
        by: z.enum(['wallet', 'operator']).optional().meta({ description: 'Who closed it' }),
      }),
    ),
  }),
  minPosition: true,
  errors: ['exchange_order_not_found'],
});
