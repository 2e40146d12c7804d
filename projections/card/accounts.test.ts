import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import {
  after,
  amountsOf,
  command,
  OPENING,
  opened,
  toppedUp,
  type CardAccountCommand,
} from '../../test/card/account';
import { CARD_ACCOUNT_CHANGES, CARD_ACCOUNTS, cardAccountsProjection } from './accounts';
import { CARD_HISTORY, CARD_HISTORY_CHANGES, cardHistoryProjection } from './history';

const shown = (subject: string, number: number, type: string) =>
  expect.objectContaining({
    subject,
    number,
    userId: 'user-1',
    at: '2026-11-23T12:00:00.000Z',
    event: expect.objectContaining({ type }),
  });
const events = (...commands: readonly CardAccountCommand[]) =>
  history(...after(...commands).events.map(event => [`cardAccount-${OPENING.accountId}`, event] as const));
const purchase = (fiat: number) => command('recordAuthorised', { amounts: amountsOf(fiat) });
const clearing = command('recordCleared', {
  amounts: amountsOf(300),
  ofAuthorisation: '300',
  final: true,
  forced: false,
  interchange: null,
});
const document = {
  _id: 'account-1',
  ...OPENING,
  createdAt: '2026-11-23T12:00:00.000Z',
  nextLimits: null,
  owner: `ton:testnet:${OPENING.owner.address}`,
  deposit: `ton:testnet:${OPENING.deposit!.address}`,
  hasBeenDepositedOnce: true,
};
/** Of the user of the account: who follows it is told. */
const changed = (position: number) => ({ [CARD_ACCOUNT_CHANGES.name]: [{ _id: OPENING.userId, position }] });
const windows = { day: '2026-11-23', daySpent: '300', month: '2026-11', monthSpent: '300' };

it('an account has the balance of its events', () =>
  given(cardAccountsProjection, events(opened(), toppedUp(1_000), purchase(300))).then({
    [CARD_ACCOUNTS.name]: [{ ...document, balance: { posted: '1000', held: '300', ...windows } }],
    ...changed(2),
  }));

it('an account that was carried forward is the same', () =>
  given(cardAccountsProjection, [
    ...events(
      ...[opened(), toppedUp(1_000), purchase(300), clearing],
      ...Array.from({ length: 40 }, (_, n) =>
        command('recordAuthorised', { transactionId: `p-${n}`, amounts: amountsOf(0) }),
      ),
    ),
  ]).then({
    [CARD_ACCOUNTS.name]: [{ ...document, balance: { posted: '700', held: '0', ...windows } }],
    ...changed(44),
  }));

it('an account has the limits that were set, and those that follow', () => {
  const limits = (daily: string) => ({ onetime: daily, daily, monthly: daily });
  const change = (daily: string) => command('changeLimits', { limits: limits(daily), by: 'holder' });
  const balance = { posted: '0', held: '0', day: '', daySpent: '0', month: '', monthSpent: '0' };
  return given(cardAccountsProjection, events(opened(), change('5'), change('7'))).then({
    [CARD_ACCOUNTS.name]: [
      {
        ...document,
        balance,
        hasBeenDepositedOnce: false,
        limits: limits('5'),
        nextLimits: { limits: limits('7'), effectiveAt: '2026-11-23T13:00:00.000Z' },
      },
    ],
    ...changed(2),
  });
});

it('the history has what happened to a card and to its account, and nothing else', async () => {
  const forced = command('recordCleared', {
    transactionId: 'forced',
    amounts: amountsOf(300),
    ofAuthorisation: '300',
    final: true,
    forced: true,
    interchange: null,
  });
  const archive = command('archive', { changedAt: { 'top-up/1': '2026-11-23T12:00:00.000Z' } });
  await given(
    cardHistoryProjection,
    events(opened(), toppedUp(1_000), purchase(300), clearing, forced, archive),
  ).then({
    [CARD_HISTORY.name]: [
      shown('account-1', 1, 'CardAccountToppedUp'),
      shown('card-1', 2, 'CardPurchaseAuthorised'),
      shown('card-1', 4, 'CardPurchaseCleared'),
    ],
    [CARD_HISTORY_CHANGES.name]: [{ _id: OPENING.userId, position: 4 }],
  });
});

it('the history has a top-up that was taken back, and none that was never credited', () => {
  const taken = (hash: string) =>
    command('reverseTopUp', {
      transactionId: `top-up/${hash}`,
      entryId: `${hash}/retracted`,
      cardId: null,
      inclusion: hash,
      chain: { account: OPENING.deposit, hash, lt: null },
    });
  const credited = { ...toppedUp(1_000), entryId: '1' };
  return given(cardHistoryProjection, events(opened(), taken('other'), credited, taken('1'))).then({
    [CARD_HISTORY.name]: [
      shown('account-1', 2, 'CardAccountToppedUp'),
      shown('account-1', 3, 'CardAccountTopUpReversed'),
    ],
    [CARD_HISTORY_CHANGES.name]: [{ _id: OPENING.userId, position: 3 }],
  });
});
