import type { Samples } from '../sample';

const at = '2026-11-23T12:00:00.000Z';
const accountId = '5b1d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d';
const cardId = '9e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b';
const owner = { chain: 'ton', network: 'testnet', address: `0:${'1'.repeat(64)}` };
const deposit = { chain: 'ton', network: 'testnet', address: `0:${'2'.repeat(64)}` };
const account = { accountId, network: 'testnet', userId: '7c2b9d1e-aaaa-5bbb-8ccc-0d1e2f3a4b5c', at };
const limits = { onetime: '1000000000', daily: '5000000000', monthly: '50000000000' };
const rate = { units: '4000000', per: '1' };
const balance = {
  posted: '10000000000',
  held: '100000000',
  day: '2026-11-23',
  daySpent: '100000000',
  month: '2026-11',
  monthSpent: '100000000',
};
const entry = {
  id: 'webhook-1',
  kind: 'authorised',
  at,
  fiat: '2500',
  rate,
  posted: '0',
  final: false,
  interchange: null,
  reason: null,
};
const movement = { ...account, transactionId: 'purchase-1', cardId, entry, earlier: [], balance };
const purchase = {
  ...movement,
  amounts: {
    merchant: { amount: '400', currency: 'JPY' },
    fiat: { amount: '2500', currency: 'EUR' },
    rate,
  },
  merchant: {
    cleanName: 'Books',
    dirtyName: 'BOOKS 0017',
    country: 'JP',
    logo: null,
    logoUrl: null,
    merchantId: 'm-1',
    placeId: null,
  },
};
const posting = {
  ...purchase,
  entry: { ...entry, id: 'webhook-2', kind: 'cleared', rate: null, posted: '-100000000', final: true },
  earlier: [entry],
  rounding: '0',
};
const tipped = { ...posting, entry: { ...posting.entry, interchange: '25', gross: '2750' } };
const fee = { entryId: 'webhook-2', amount: '25', gross: '2500', currency: 'EUR', at };
const topUp = {
  ...movement,
  transactionId: 'top-up/BBBB',
  cardId: null,
  amount: '10000000000',
  entry: { ...entry, id: 'BBBB', kind: 'topped_up', fiat: '0', rate: null, posted: '10000000000' },
  chain: { account: deposit, hash: 'BBBB', lt: '47000001' },
};

const transfer = {
  transactionId: `prepaid/${cardId}/load/first`,
  from: { accountId, cardId: null, amount: '4000000', currency: 'TON' },
  to: { accountId: '1c2d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d', cardId, amount: '1', currency: 'EUR' },
  rate,
};

const held = (kind: string) => ({ ...purchase, entry: { ...entry, kind } });
const ended = (kind: string) => ({ ...movement, entry: { ...entry, kind, fiat: '0' } });

export const CARD_ACCOUNT_SAMPLES: Samples = {
  CardAccountOpened: [
    {
      v: 1,
      data: {
        ...account,
        kind: 'crypto',
        accountIndex: 0,
        name: null,
        owner,
        deposit,
        currency: { ticker: 'TON', decimals: 9, tokenContract: null },
        fiatCurrency: 'EUR',
        tzOffset: 60,
        limits,
        state: 'ACTIVE',
        sandbox: true,
      },
    },
  ],
  CardAccountStateChanged: [{ v: 1, data: { ...account, from: 'ACTIVE', to: 'SUSPENDED', by: 'operator' } }],
  CardAccountLimitsChanged: [
    { v: 1, data: { ...account, limits, effectiveAt: '2026-11-24T12:00:00.000Z', by: 'holder' } },
  ],
  CardAccountToppedUp: [{ v: 1, data: topUp }],
  CardAccountTopUpReversed: [
    { v: 1, data: { ...topUp, entry: { ...topUp.entry, kind: 'top_up_reversed', posted: '-10000000000' } } },
  ],
  CardFeeCharged: [
    {
      v: 1,
      data: {
        ...movement,
        transactionId: `card/${cardId}`,
        amount: '50000000',
        entry: { ...entry, id: cardId, kind: 'card_fee', fiat: '0', rate: null, posted: '-50000000' },
      },
    },
  ],
  CardFeeReturned: [
    {
      v: 1,
      data: {
        ...movement,
        transactionId: `card/${cardId}`,
        amount: '50000000',
        entry: { ...entry, kind: 'card_fee_returned', fiat: '0', rate: null, posted: '50000000' },
      },
    },
  ],
  CardTransferSent: [
    {
      v: 1,
      data: {
        ...movement,
        ...transfer,
        cardId: null,
        entry: { ...entry, id: transfer.transactionId, kind: 'transfer_sent', fiat: '0', rate: null },
      },
    },
  ],
  CardTransferReceived: [
    {
      v: 1,
      data: {
        ...movement,
        ...transfer,
        entry: { ...entry, id: transfer.transactionId, kind: 'transfer_received', fiat: '0', rate: null },
      },
    },
  ],
  CardPurchaseAuthorised: [
    { v: 1, data: purchase, latest: { ...purchase, charged: '2500' } },
    { v: 1, data: { ...purchase, isReleased: true }, latest: { ...purchase, charged: '0' } },
    { v: 2, data: { ...purchase, charged: '2000' } },
  ],
  CardPurchaseDeclined: [
    {
      v: 1,
      data: {
        ...purchase,
        entry: { ...entry, kind: 'declined', fiat: '0', rate: null, reason: 'limit_daily' },
        amount: '10000000000',
        reason: 'limit_daily',
      },
    },
  ],
  CardPurchaseIncremented: [
    { v: 1, data: held('incremented'), latest: { ...held('incremented'), charged: '2500' } },
    { v: 2, data: { ...held('incremented'), charged: '2500' } },
  ],
  CardPurchaseReversed: [
    { v: 1, data: held('reversed'), latest: { ...held('reversed'), charged: '-2500' } },
    { v: 2, data: { ...held('reversed'), charged: '-2500' } },
  ],
  CardPurchaseVoided: [
    { v: 1, data: ended('voided'), latest: { ...ended('voided'), released: null } },
    { v: 2, data: { ...ended('voided'), released: purchase.amounts } },
  ],
  CardPurchaseExpired: [
    { v: 1, data: ended('expired'), latest: { ...ended('expired'), released: null } },
    { v: 2, data: { ...ended('expired'), released: null } },
  ],
  CardPurchaseCleared: [
    {
      v: 1,
      data: { ...posting, forced: false, earned: fee },
      latest: { ...posting, forced: false, earned: fee, charged: '0' },
    },
    {
      v: 1,
      data: { ...posting, forced: true, earned: fee },
      latest: { ...posting, forced: true, earned: fee, charged: '2500' },
    },
    {
      v: 1,
      data: { ...tipped, forced: false, earned: { ...fee, gross: '2750' } },
      latest: { ...tipped, forced: false, earned: { ...fee, gross: '2750' }, charged: '0' },
    },
    { v: 2, data: { ...tipped, forced: false, earned: { ...fee, gross: '2750' }, charged: '250' } },
  ],
  CardPurchaseRefunded: [{ v: 1, data: { ...posting, full: true, reversedFees: [fee] } }],
  CardPurchaseChargedBack: [{ v: 1, data: { ...posting, full: false, reversedFees: [] } }],
  CardChargebackReversed: [{ v: 1, data: posting }],
  CardAccountCarriedForward: [
    {
      v: 1,
      data: {
        ...account,
        kind: 'crypto',
        state: 'ACTIVE',
        tzOffset: 60,
        fiatCurrency: 'EUR',
        limits,
        balance,
        nextLimits: { limits, effectiveAt: '2026-11-24T12:00:00.000Z' },
        transactions: { 'purchase-1': { cardId, changedAt: at, entries: [entry] } },
      },
    },
  ],
  CardTransactionsArchived: [{ v: 1, data: { ...account, transactionIds: ['purchase-1'] } }],
};

export const CARD_TRANSACTION_SAMPLES: Samples = {
  CardTransactionArchived: [
    {
      v: 1,
      data: {
        accountId,
        network: 'testnet',
        transactionId: 'purchase-1',
        cardId,
        at,
        entries: [entry],
      },
    },
  ],
};

export const CARD_DEPOSIT_SAMPLES: Samples = {
  CardDepositAssigned: [
    { v: 1, data: { address: deposit, accountId, network: 'testnet', userId: account.userId, at } },
  ],
};
