import { z } from 'zod';
import { EXCHANGE_ORDER_STATUSES } from '../events/exchange-order';
import { endpoint } from './endpoint';
import { changellyAlias, EXCHANGE, sandbox as ofDouble } from './exchange-fields';
import { solanaAddress } from './solana';
import { tonAddress } from './ton-fields';

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
  description: '`true`: the partner is a double, and nothing may be paid to `payinAddress`',
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
    exchangeRate: unknownYet,
    payinHash: unknownYet,
    payoutHash: unknownYet,
    networkFee: unknownYet,
    changellyFee: unknownYet,
    apiExtraFee: unknownYet,
    totalFee: unknownYet,
    error: z.string().nullable().meta({ description: 'Why the exchange came to nothing' }),
    trackUrl: z.string().nullable().meta({ description: 'A page of the partner about the order' }),
    sandbox,
    createdAt: instant,
    updatedAt: instant,
    expiresAt: instant.meta({ description: 'A payment that comes later may not be accepted' }),
  })
  .meta({ id: 'ExchangeOrder' });

export const EXAMPLE_TON_WALLET = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const EXAMPLE_ORDER = '5f0c0f0e-3f43-5d6b-9d6c-8a3a0d2f7b11';

const orderId = z.uuid().meta({ example: EXAMPLE_ORDER });
const MAX_ID = 64;
/** What is no id is an unknown order. */
const anyOrder = z.string().min(1).max(MAX_ID).optional();

/** An order by any of the names that clients use for its id. */
const identified = {
  transactionId: anyOrder.meta({ description: 'The id of an order' }),
  orderId: anyOrder.meta({ description: 'Another name of `transactionId`' }),
  id: anyOrder.meta({ description: 'Another name of `transactionId`' }),
};

const detailsPath = '/exchange/transaction/details';
export const exchangeOrderDetails = endpoint({
  ...EXCHANGE,
  method: 'POST',
  path: detailsPath,
  aliases: changellyAlias(detailsPath),
  summary: 'An order as it was observed last; the partner is not asked',
  examples: [{ body: { transactionId: EXAMPLE_ORDER } }],
  body: z.object({
    ...identified,
    wallet: walletAddress.nullish().meta({ description: 'An order of another wallet is not found' }),
  }),
  response: z.object({ ok: z.literal(true), data: exchangeOrder }),
  minPosition: true,
  errors: ['exchange_order_not_found', 'network_mismatch', 'not_ready'],
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
  summary: 'The orders of a wallet that the partner has made, newest first',
  examples: [
    { body: { address: EXAMPLE_TON_WALLET, network: 'mainnet', limit: 10 } },
    {
      body: {
        wallet: { ton: EXAMPLE_TON_WALLET, solana: 'So11111111111111111111111111111111111111112' },
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
    status: status.nullish(),
    limit: z.int().min(1).max(MAX_LISTED_ORDERS).nullish().meta({ description: 'Default: 50' }),
    offset: z.int().min(0).max(MAX_OFFSET).nullish().meta({ description: 'Default: 0' }),
  }),
  response: z.object({ ok: z.literal(true), data: z.array(exchangeOrder) }),
  minPosition: true,
  errors: ['network_mismatch', 'not_ready'],
});

/** States of an order that its history has. */
export const MAX_ORDER_STATES = 200;

const historyPath = '/exchange/transaction/{orderId}/history';
export const exchangeOrderHistory = endpoint({
  ...EXCHANGE,
  method: 'GET',
  path: historyPath,
  aliases: changellyAlias(historyPath),
  summary: `What was observed of an order, first first: the last ${MAX_ORDER_STATES} observations`,
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
        observed: z.string().optional().meta({ description: 'Of an anomaly, as the partner spelt it' }),
        hash: z.string().optional().meta({ description: 'Of the transaction of a payment' }),
        by: z.enum(['wallet', 'operator']).optional().meta({ description: 'Who closed it' }),
      }),
    ),
  }),
  minPosition: true,
  errors: ['exchange_order_not_found', 'not_ready'],
});
