import { CARD_TOKEN_CATEGORY } from '../../contracts/events/card-token';
import { CARD_TOKEN_SAMPLES } from '../events/samples/card-enrolment';
import { encodeSolanaMessage, SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_TRANSACTIONS,
  type TonTransactionMessage,
} from '../../contracts/chain/ton';
import type { TonMessage } from '../../contracts/chain/ton-transaction';
import { PRICES_TOPIC, type PriceRecord } from '../../contracts/chain/prices';
import { ADDRESS_WARNING_CATEGORY } from '../../contracts/events/address-warning';
import { APP_CONFIG_CATEGORY } from '../../contracts/events/app-config';
import { APP_REPORT_CATEGORY } from '../../contracts/events/app-report';
import { APP_REVIEW_CATEGORY } from '../../contracts/events/app-review';
import { PUSH_DEVICE_CATEGORY } from '../../contracts/events/push-device';
import { BANNER_CATEGORY } from '../../contracts/events/banner';
import { CONNECT_SESSION_CATEGORY } from '../../contracts/events/connect-session';
import { EXCHANGE_ORDER_CATEGORY } from '../../contracts/events/exchange-order';
import { FEE_CATEGORY } from '../../contracts/events/fee';
import { INVOICE_CATEGORY } from '../../contracts/events/invoice';
import { SERVICE_ADDRESS_CATEGORY } from '../../contracts/events/service-address';
import { SETTLEMENT_CATEGORY } from '../../contracts/events/settlement';
import { GASLESS_HANDOVER_CATEGORY } from '../../contracts/events/gasless-handover';
import { GASLESS_SEND_CATEGORY } from '../../contracts/events/gasless-send';
import { STORAGE_ENTRY_CATEGORY } from '../../contracts/events/storage-entry';
import { TOKEN_CATEGORY } from '../../contracts/events/token';
import { WALLET_REQUEST_CATEGORY } from '../../contracts/events/wallet-request';
import { WATCH_CATEGORY } from '../../contracts/events/watch';
import { observationKey, OBSERVATIONS_TOPIC } from '../../contracts/observation/observation';
import type { JsonObject } from '../../contracts/json/json';
import { toUnverifiedRecord } from '../../indexers/ton/records';
import { traceMessage } from '../../indexers/ton/traces/open-trace';
import { OBSERVATIONS, PROJECTIONS } from '../../infra/program/features';
import { isLogProjection, type EventProjection, type LogProjection } from '../../projections/projection';
import { history, messages } from '../contracts/builders';
import { given } from '../contracts/projection';
import { SAMPLES, STREAM_KINDS } from '../events/declared';
import { APP_REPORT_SAMPLES, APP_REVIEW_SAMPLES } from '../events/samples/apps';
import { CONNECT } from '../events/samples/connect';
import { EXCHANGE_ORDER_SAMPLES } from '../events/samples/exchange-order';
import { FEE } from '../events/samples/fee';
import { GASLESS_HANDOVER_SAMPLES, GASLESS_SEND_SAMPLES } from '../events/samples/gasless';
import { INVOICE } from '../events/samples/invoice';
import { SETTLEMENT } from '../events/samples/settlement';
import { STORAGE_ENTRY, STORAGE_ENTRY_REMOVED } from '../events/samples/storage-entry';
import { TOKEN } from '../events/samples/token';
import { WALLET_REQUEST } from '../events/samples/wallet-request';
import { mentioning } from '../solana/raw-transactions';
import { accountAt, ScriptedChain } from '../ton/scripted-chain';

const WATCHED = {
  chain: 'ton',
  network: 'mainnet',
  address: `0:${'ab'.repeat(32)}`,
  watch: 1,
  at: '2026-03-01T12:00:00.000Z',
};

const WARNED = {
  network: 'mainnet',
  address: `0:${'ab'.repeat(32)}`,
  warning: 'spam',
  at: '2026-03-01T12:00:00.000Z',
  by: 'cli:ann',
};

const SERVICE_ADDRESS = {
  account: { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` },
  at: '2026-03-01T12:00:00.000Z',
  by: 'cli:ann',
};
const SERVICE = { service: 'holders', type: null, icon: null };

const EXCHANGE_ORDER: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(EXCHANGE_ORDER_SAMPLES).map(([type, [sample]]) => [type, sample!.data as object]),
);

const BANNER = { place: 'browser', id: '7', at: '2026-03-01T12:00:00.000Z', by: 'cli:ann' };

const FOLLOWED = 'cd'.repeat(16);
const PUSH_DEVICE = {
  deviceId: 'ab'.repeat(16),
  contact: { subject: 'push:device', ciphertext: 'v1.AAAA.AAAA' },
  digest: 'ef'.repeat(32),
  accounts: [{ id: FOLLOWED, since: '2026-03-01T12:00:00.000Z', isAdded: true }],
  dropped: [],
  at: '2026-03-01T12:00:00.000Z',
};

const CONFIGURED = {
  name: 'app',
  network: 'mainnet',
  version: 1,
  content: { txTimeout: 60 },
  restores: null,
  at: '2026-03-01T12:00:00.000Z',
  by: 'cli:ann',
};

/** Events of one stream, in a possible order; of a category that is not listed, the samples of its types in theirs. */
const EVENTS: Readonly<Record<string, readonly (readonly [type: string, data: object])[]>> = {
  [CARD_TOKEN_CATEGORY]: [
    ['CardTokenIssued', CARD_TOKEN_SAMPLES['CardTokenIssued']![0]!.data],
    ['CardTokenRevoked', CARD_TOKEN_SAMPLES['CardTokenRevoked']![0]!.data],
  ],
  [FEE_CATEGORY]: [
    ['FeeRecorded', FEE.FeeRecorded],
    ['FeeCollected', FEE.FeeCollected],
    ['FeeReversed', FEE.FeeReversed],
  ],
  [INVOICE_CATEGORY]: [
    ['InvoiceGenerated', INVOICE.InvoiceGenerated],
    ['InvoiceFinalizationStarted', INVOICE.InvoiceFinalizationStarted],
    ['InvoiceFinalized', INVOICE.InvoiceFinalized],
  ],
  [ADDRESS_WARNING_CATEGORY]: [
    ['AddressWarningAdded', WARNED],
    ['AddressWarningAdded', { ...WARNED, warning: 'restrict_send' }],
    ['AddressWarningRemoved', WARNED],
  ],
  [APP_CONFIG_CATEGORY]: [
    ['AppConfigPublished', CONFIGURED],
    ['AppConfigPublished', { ...CONFIGURED, version: 2, content: { txTimeout: 90 } }],
  ],
  [PUSH_DEVICE_CATEGORY]: [
    ['PushDeviceRegistered', PUSH_DEVICE],
    ['PushDeviceRegistered', { ...PUSH_DEVICE, accounts: [], dropped: [FOLLOWED] }],
    ['PushDeviceRetired', { ...PUSH_DEVICE, reason: 'operator', by: 'cli:ann' }],
    ['PushDeviceRegistered', PUSH_DEVICE],
  ],
  [SERVICE_ADDRESS_CATEGORY]: [
    ['ServiceAddressAdded', { ...SERVICE_ADDRESS, ...SERVICE }],
    ['ServiceAddressRemoved', SERVICE_ADDRESS],
    ['ServiceAddressAdded', { ...SERVICE_ADDRESS, ...SERVICE, service: 'postcash' }],
  ],
  [EXCHANGE_ORDER_CATEGORY]: [
    ['ExchangeOrderRequested', EXCHANGE_ORDER['ExchangeOrderRequested']!],
    [
      'ExchangeOrderCreated',
      { ...EXCHANGE_ORDER['ExchangeOrderCreated'], payinAddress: `0:${'ab'.repeat(32)}` },
    ],
    ['ExchangePayinSeen', EXCHANGE_ORDER['ExchangePayinSeen']!],
  ],
  [BANNER_CATEGORY]: [
    ['BannerPublished', { ...BANNER, content: { id: 7 } }],
    ['BannerRetired', BANNER],
    ['BannerPublished', { ...BANNER, content: { id: 7, enabled: false } }],
  ],
  [WATCH_CATEGORY]: [
    ['AccountWatched', WATCHED],
    ['WatchRenewed', { ...WATCHED, at: '2026-03-20T12:00:00.000Z' }],
    ['WatchConfirmed', { ...WATCHED, at: '2026-03-20T12:00:00.000Z' }],
  ],
  [STORAGE_ENTRY_CATEGORY]: [
    ['StorageEntryWritten', STORAGE_ENTRY],
    ['StorageEntryRemoved', STORAGE_ENTRY_REMOVED],
    ['StorageEntryWritten', STORAGE_ENTRY],
  ],
  [CONNECT_SESSION_CATEGORY]: [
    ['ConnectSessionOpened', CONNECT.ConnectSessionOpened],
    ['ConnectSessionAnswered', CONNECT.ConnectSessionAnswered],
    ['ConnectSessionUsed', CONNECT.ConnectSessionUsed],
    ['ConnectSessionRevoked', CONNECT.ConnectSessionRevoked],
  ],
  [GASLESS_SEND_CATEGORY]: (
    ['GaslessSendAccepted', 'GaslessSendRelayed', 'GaslessSendConfirmed'] as const
  ).map(type => [type, GASLESS_SEND_SAMPLES[type]![0]!.data as object] as const),
  [GASLESS_HANDOVER_CATEGORY]: (
    ['GaslessHandedOver', 'GaslessHandoverTaken', 'GaslessHandoverEnded'] as const
  ).map(type => [type, GASLESS_HANDOVER_SAMPLES[type]![0]!.data as object] as const),
  [WALLET_REQUEST_CATEGORY]: [
    ['WalletRequestCreated', WALLET_REQUEST.created],
    ['WalletRequestConfirmed', WALLET_REQUEST.answer],
  ],
  [APP_REVIEW_CATEGORY]: [
    ['AppReviewSubmitted', APP_REVIEW_SAMPLES['AppReviewSubmitted']![0]!.data],
    ['AppReviewHidden', APP_REVIEW_SAMPLES['AppReviewHidden']![0]!.data],
    ['AppReviewShown', APP_REVIEW_SAMPLES['AppReviewShown']![0]!.data],
  ],
  [APP_REPORT_CATEGORY]: [
    ['AppReported', APP_REPORT_SAMPLES['AppReported']![0]!.data],
    ['AppReportDismissed', APP_REPORT_SAMPLES['AppReportDismissed']![0]!.data],
  ],
  [TOKEN_CATEGORY]: [
    ['TokenVerificationSet', TOKEN.TokenVerificationSet],
    ['TokenVerificationSet', { ...TOKEN.TokenVerificationSet, verification: 'blacklist' }],
  ],
  [SETTLEMENT_CATEGORY]: [
    ['RebateAccrued', SETTLEMENT.RebateAccrued],
    ['SettlementGenerated', SETTLEMENT.SettlementGenerated],
    ['RebateApplied', SETTLEMENT.RebateApplied],
    ['SettlementPaid', SETTLEMENT.SettlementPaid],
  ],
};

/** An NFT item notifies its new owner. */
const assigned = (owner: string) =>
  ({
    info: { type: 'internal', src: accountAt(4), dest: owner, value: '1', bounced: false },
    nft: { type: 'ownership_assigned', queryId: '0' },
  }) as unknown as TonMessage;

function tonRecords() {
  const account = accountAt(1);
  const chain = new ScriptedChain();
  for (let n = 0; n < 3; n++) chain.mine({ accounts: [account] });
  const jettonWallets = { [accountAt(2)]: { master: accountAt(3), owner: account } };
  const transactions = chain.transactions.get(account)!.map(({ cell, lt, hash, seqno }) => {
    const origin = { network: 'mainnet', account, seqno, origin: 'tail' } as const;
    const { key, value } = toUnverifiedRecord(cell, { lt, hash }, origin).message;
    const message = decodeTonMessage(value) as TonTransactionMessage;
    const transaction = { ...message.transaction, inMessage: assigned(account) };
    return { key, value: encodeTonMessage({ ...message, transaction, jettonWallets }) };
  });
  const { lt, hash } = chain.transactions.get(account)![0]!;
  const trace = { account, lt, hash, begunAt: 1_700_000_000, messages: [], cut: true };
  return [...transactions, traceMessage('mainnet', trace, 'abandoned')];
}

function solanaRecords() {
  const inclusion = {
    network: 'mainnet' as const,
    account: 'Alice',
    signature: 'signature',
    slot: 7,
    blockhash: 'blockhash',
    mints: ['Mint'],
  };
  const seen = {
    type: 'transaction' as const,
    ...inclusion,
    index: 3,
    blockTime: 0,
    finality: 'confirmed' as const,
    origin: 'tail' as const,
    mentioned: true,
    balance: '10',
    raw: mentioning('signature', 'Alice') as unknown as JsonObject,
  };
  return [seen, { type: 'finalized' as const, ...inclusion }].map(message => ({
    key: 'solana:mainnet:Alice',
    value: encodeSolanaMessage(message),
  }));
}

const observed = OBSERVATIONS.flatMap(({ kind }) =>
  [1, 2].map(height => ({
    key: observationKey(kind, 'subject'),
    value: { kind, subject: 'subject', height, at: `2026-01-01T00:00:0${height}.000Z`, data: { height } },
  })),
);

const quoted = (source: string, price: string, minute: number) => {
  const at = `2026-01-01T00:0${minute}:00.000Z`;
  const asset = 'live/coin/TON';
  return { key: asset, value: { asset, source, price, at, readAt: at, quorum: 2 } satisfies PriceRecord };
};

/** Records of one partition of each topic. */
const RECORDS: Readonly<Record<string, Parameters<typeof messages>[1]>> = {
  [TON_TRANSACTIONS.name]: tonRecords(),
  [SOLANA_TRANSACTIONS.name]: solanaRecords(),
  [OBSERVATIONS_TOPIC.name]: observed,
  [PRICES_TOPIC.name]: [quoted('okx', '3.01', 1), quoted('gate', '3.03', 2), quoted('okx', '3.05', 3)],
};

/** Every sample of every type of a category, as it is stored. */
function sampledEvents(category: string) {
  const { families } = STREAM_KINDS.find(({ categories }) => categories.includes(category))!;
  return families
    .flatMap(({ types }) => types)
    .flatMap(({ name: type }) => SAMPLES[type]!.map(({ v, data }) => ({ type, data, metadata: { v } })));
}

const eventsOf = ({ categories }: EventProjection) =>
  history(
    ...categories.flatMap(category => {
      const events = EVENTS[category]?.map(([type, data]) => ({ type, data })) ?? sampledEvents(category);
      return events.map(event => [`${category}-1`, event] as const);
    }),
  );

function messagesOf({ topics }: LogProjection) {
  return topics.flatMap(topic => {
    const records = RECORDS[topic];
    if (!records) throw new Error(`add records of the topic ${topic} to this test`);
    return messages(topic, records);
  });
}

test.each(PROJECTIONS.map(projection => [projection.name, projection] as const))(
  '%s is the same after a replay, in any batches and after any crash',
  async (_name, projection) => {
    const documents = isLogProjection(projection)
      ? await given(projection, messagesOf(projection)).replay()
      : await given(projection, eventsOf(projection)).replay();
    expect(Object.values(documents).flat()).not.toEqual([]);
  },
);
