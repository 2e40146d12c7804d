import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { STREAM_KINDS } from './declared';

/** Categories whose events are neither exported nor in the ledger tree. */
const NOT_LEDGER = [
  'addressWarning',
  'allowedDomain',
  'appConfig',
  'appReport',
  'appReview',
  'appVerification',
  'audit',
  'banner',
  'card',
  'cardAccount',
  'cardChallenge',
  'cardDeposit',
  'cardProof',
  'cardToken',
  'cardTransaction',
  'cardUser',
  'cardVesting',
  'cardWebhook',
  'connectCommand',
  'connectSession',
  'erasure',
  'exchangeOrder',
  'exchangePartnerOrder',
  'gaslessBudget',
  'gaslessHandover',
  'gaslessJetton',
  'gaslessQuote',
  'gaslessRelay',
  'gaslessSend',
  'idempotency',
  'instance',
  'ledgerAnchor',
  'ledgerCheckpoint',
  'ownedPool',
  'pushDevice',
  'pushHour',
  'pushNotification',
  'serviceAddress',
  'storageEntry',
  'token',
  'unmatchedPayment',
  'walletRequest',
  'watch',
];

it('every category is either part of the ledger or listed as not part of it', () => {
  const known = [...LEDGER_CATEGORIES, ...NOT_LEDGER];
  expect(new Set(known).size).toBe(known.length);
  expect(STREAM_KINDS.flatMap(({ categories }) => categories).sort()).toEqual([...known].sort());
});
