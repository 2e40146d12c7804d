import { isRefusal, refuse, type Refusal } from '../../../contracts/decider';
import {
  cardAccountEvents,
  type CardAccountEvent,
  type CardEntry,
  type CardLimits,
} from '../../../contracts/events/card-account';
import { MAX_APPEND_BYTES } from '../../../contracts/ports/event-store';
import type { StreamKind } from '../../commands/stream-kind';
import { declineReason } from './authorise';
import { availableOf, balanceWith } from './balance';
import { canMove } from './account-moves';
import type { CardAccountCommand, CommandOf, Movement, PurchaseMovement } from './command';
import { convert } from './conversion';
import { feeOf, feesOf, isGivenBack } from './fees';
import { evolve, limitsAt, type CardAccount } from './state';
import { countingTopUps, isTopUpTakenBack } from './top-up';
import {
  chargedOf,
  heldOf,
  holdOf,
  isHoldOld,
  isKnown,
  isReleased,
  postedOf,
  type Entries,
} from './transaction';

type Decision = readonly CardAccountEvent[] | Refusal;

/** So often the whole state is recorded: no decision reads more events than that. */
const EVENTS_CARRIED = 32;
/** A larger state is not recorded, so that every store accepts it beside the events of a decision; decisions then read on. */
const MAX_CARRIED_BYTES = 0.75 * MAX_APPEND_BYTES;
/** With one decision: the next one finds further ones. */
const MAX_EXPIRED = 100;
/** Higher limits hold after this. */
export const LIMITS_GRACE_MS = 3_600_000;

/**
 * The money of an account. What the issuer says has happened is recorded, whatever the balance: only the answer to an
 * authorisation, and what the holder asks for, is decided.
 */
export const cardAccountKind: StreamKind<CardAccount | null, CardAccountCommand, CardAccountEvent> = {
  events: cardAccountEvents,
  carriedForward: ['CardAccountCarriedForward'],
  decider: {
    initial: () => null,
    evolve,
    decide(state, command) {
      const decision = command.type === 'open' ? open(state, command) : decideOn(state, command);
      if (isRefusal(decision) || decision.length === 0) return decision;
      const after = decision.reduce(evolve, state)!;
      return isToBeCarried(after) ? [...decision, carriedForward(after, command)] : decision;
    },
  },
};

function open(state: CardAccount | null, { account, metadata }: CommandOf<'open'>): Decision {
  return state ? [] : [{ type: 'CardAccountOpened', data: { ...account, at: metadata.now } }];
}

function decideOn(
  state: CardAccount | null,
  command: Exclude<CardAccountCommand, { type: 'open' }>,
): Decision {
  if (!state) return refuse('card_account_not_found', 'There is no such account.');
  switch (command.type) {
    case 'changeState':
      return changeState(state, command);
    case 'changeLimits':
      return changeLimits(state, command);
    case 'archive':
      return archive(state, command);
    case 'authorise': {
      const { events, after } = expireHolds(state, command);
      const decision = move(after, command);
      return isRefusal(decision) || decision.length === 0 ? decision : [...events, ...decision];
    }
    default:
      return move(state, command);
  }
}

/** Some issuers do not say that a hold has expired: what is this old does not keep its holder from buying. */
function expireHolds(state: CardAccount, { metadata }: CommandOf<'authorise'>) {
  const old = Object.entries(state.transactions)
    .filter(([, { entries }]) => isHoldOld(entries, metadata.now))
    .slice(0, MAX_EXPIRED);
  const events: CardAccountEvent[] = [];
  let after = state;
  for (const [transactionId, { cardId }] of old) {
    const movement = { entryId: OWN_EXPIRY, occurredAt: metadata.now };
    const command = { type: 'recordExpired', transactionId, cardId, archived: [], metadata } as const;
    const data = endedData(after, { ...command, ...movement }, 'expired');
    events.push({ type: 'CardPurchaseExpired', data });
    after = evolve(after, events.at(-1)!)!;
  }
  return { events, after };
}

/** The id of the entry of a hold that has expired by our clock. */
const OWN_EXPIRY = 'expired';

function changeState(state: CardAccount, { to, by, metadata }: CommandOf<'changeState'>): Decision {
  if (state.state === to) return [];
  if (!canMove(state.state, to))
    return refuse('card_account_state', `An account that is ${state.state} does not become ${to}.`);
  const isClosing = to === 'CLOSED' || to === 'MANUALLY_CLOSED';
  if (isClosing && (state.balance.posted !== '0' || state.balance.held !== '0'))
    return refuse('card_account_not_empty', 'The account has a balance, or purchases that are not cleared.');
  return [
    { type: 'CardAccountStateChanged', data: { ...factsOf(state, metadata), from: state.state, to, by } },
  ];
}

function changeLimits(state: CardAccount, { limits, by, metadata }: CommandOf<'changeLimits'>): Decision {
  const { now } = metadata;
  const [onetime, daily, monthly] = [BigInt(limits.onetime), BigInt(limits.daily), BigInt(limits.monthly)];
  if (onetime > daily || daily > monthly)
    return refuse('card_limits_invalid', 'onetime is at most daily, and daily at most monthly.');
  const last = state.nextLimits?.limits ?? state.limits;
  if (isEqual(last, limits)) return [];
  const current = limitsAt(state, now);
  const isHigher = (['onetime', 'daily', 'monthly'] as const).some(
    limit => BigInt(limits[limit]) > BigInt(current[limit]),
  );
  const graceMs = isHigher && by === 'holder' ? LIMITS_GRACE_MS : 0;
  const effectiveAt = new Date(Date.parse(now) + graceMs).toISOString();
  return [
    { type: 'CardAccountLimitsChanged', data: { ...factsOf(state, metadata), limits, effectiveAt, by } },
  ];
}

const isEqual = (a: CardLimits, b: CardLimits): boolean =>
  a.onetime === b.onetime && a.daily === b.daily && a.monthly === b.monthly;

/** Only those that have not changed since they were written to streams of their own. */
function archive(state: CardAccount, { changedAt, metadata }: CommandOf<'archive'>): Decision {
  const transactionIds = Object.keys(changedAt).filter(
    id => state.transactions[id]?.changedAt === changedAt[id],
  );
  if (transactionIds.length === 0) return [];
  return [{ type: 'CardTransactionsArchived', data: { ...factsOf(state, metadata), transactionIds } }];
}

type MovementCommand = Exclude<
  CardAccountCommand,
  { type: 'open' | 'changeState' | 'changeLimits' | 'archive' }
>;

function move(state: CardAccount, command: MovementCommand): Decision {
  const before = entriesOf(state, command);
  if (isKnown(before, command.entryId)) return [];
  switch (command.type) {
    case 'authorise':
      return authorise(state, command, before);
    case 'recordAuthorised':
      // The answer to the request has recorded it already.
      if (before.some(({ kind }) => kind === 'authorised')) return [];
      return [{ type: 'CardPurchaseAuthorised', data: heldData(state, command, before, 'authorised') }];
    case 'recordIncremented':
      return [{ type: 'CardPurchaseIncremented', data: heldData(state, command, before, 'incremented') }];
    case 'recordReversed':
      return [{ type: 'CardPurchaseReversed', data: heldData(state, command, before, 'reversed') }];
    case 'recordVoided':
      return [{ type: 'CardPurchaseVoided', data: endedData(state, command, 'voided') }];
    case 'recordExpired':
      return [{ type: 'CardPurchaseExpired', data: endedData(state, command, 'expired') }];
    case 'topUp':
    case 'reverseTopUp':
      return topUp(state, command, before);
    case 'chargeFee':
      return chargeFee(state, command, before);
    case 'returnFee':
      return returnFee(state, command, before);
    case 'sendTransfer':
    case 'receiveTransfer':
      return transfer(state, command, before);
    default:
      return [post(state, command, before)];
  }
}

function authorise(state: CardAccount, command: CommandOf<'authorise'>, before: Entries): Decision {
  const { isIncrement, amounts, occurredAt, entryId } = command;
  // A request that is repeated under another id has the same answer.
  if (!isIncrement && before.some(({ kind }) => kind === 'authorised' || kind === 'declined')) return [];
  const kind = isIncrement ? 'incremented' : 'authorised';
  const entry = holdEntry(command, kind);
  const growth = holdOf([...before, entry]) - holdOf(before);
  const amount = convert(BigInt(amounts.fiat.amount), amounts.rate).units;
  const reason = declineReason(state, command, amount, growth);
  if (!reason) {
    const type = isIncrement ? 'CardPurchaseIncremented' : 'CardPurchaseAuthorised';
    return [{ type, data: heldData(state, command, before, kind) }];
  }
  const declined: CardEntry = { ...NOTHING, id: entryId, kind: 'declined', at: occurredAt, reason };
  const data = { ...purchaseData(state, command, declined), amount: amount.toString(), reason };
  return [{ type: 'CardPurchaseDeclined', data }];
}

function post(
  state: CardAccount,
  command: CommandOf<'recordCleared' | 'recordRefunded' | 'recordChargedBack' | 'recordChargebackReversed'>,
  before: Entries,
): CardAccountEvent {
  const { amounts } = command;
  const { units, rounding } = convert(BigInt(amounts.fiat.amount), amounts.rate);
  const posting = (kind: CardEntry['kind'], posted: bigint, rest: Partial<CardEntry> = {}) => ({
    ...purchaseData(state, command, { ...entryOf(command, kind), posted: posted.toString(), ...rest }),
    rounding: rounding.toString(),
  });
  switch (command.type) {
    case 'recordCleared': {
      const { ofAuthorisation: fiat, final, forced, interchange } = command;
      const gross = amounts.fiat.amount;
      const data = posting('cleared', -units, { fiat, final, interchange, gross });
      const charged = chargedWith(data.entry, before);
      const earned = isGivenBack(before) ? null : feeOf(data.entry, amounts.fiat.currency);
      const isForced = forced || isReleased(before);
      return { type: 'CardPurchaseCleared', data: { ...data, charged, forced: isForced, earned } };
    }
    case 'recordRefunded':
    case 'recordChargedBack': {
      const isRefund = command.type === 'recordRefunded';
      const { full } = command;
      const { currency } = amounts.fiat;
      const data = {
        ...posting(isRefund ? 'refunded' : 'charged_back', units, { final: full }),
        full,
        reversedFees: full && !isGivenBack(before) ? feesOf(before, currency) : [],
      };
      return { type: isRefund ? 'CardPurchaseRefunded' : 'CardPurchaseChargedBack', data };
    }
    case 'recordChargebackReversed':
      return { type: 'CardChargebackReversed', data: posting('chargeback_reversed', -units) };
  }
}

function topUp(state: CardAccount, command: CommandOf<'topUp' | 'reverseTopUp'>, before: Entries): Decision {
  const { chain } = command;
  const counting = countingTopUps(before, chain.hash);
  if (command.type === 'topUp') {
    if (isTopUpTakenBack(before, command.entryId, chain.hash)) return [];
    if (counting.some(({ id }) => id === chain.hash)) return [];
    if (counting.length > 0) return refuse('not_ready', 'The transfer counts as included in another block.');
    const entry = { ...entryOf(command, 'topped_up'), posted: command.amount };
    const data = { ...movementData(state, command, entry), amount: command.amount, chain };
    return [{ type: 'CardAccountToppedUp', data }];
  }
  const amount = postedOf(counting.filter(({ id }) => id === command.inclusion || id === chain.hash));
  const entry = { ...entryOf(command, 'top_up_reversed'), posted: (-amount).toString() };
  const data = { ...movementData(state, command, entry), amount: amount.toString(), chain };
  return [{ type: 'CardAccountTopUpReversed', data }];
}

function chargeFee(state: CardAccount, command: CommandOf<'chargeFee'>, before: Entries): Decision {
  const { amount } = command;
  if (before.length > 0) return [];
  const refusal = whyNotSpent(state, amount);
  if (refusal) return refusal;
  const entry = { ...entryOf(command, 'card_fee'), posted: (-BigInt(amount)).toString() };
  return [{ type: 'CardFeeCharged', data: { ...movementData(state, command, entry), amount } }];
}

function returnFee(state: CardAccount, command: CommandOf<'returnFee'>, before: Entries): Decision {
  const amount = (-postedOf(before)).toString();
  if (amount === '0') return [];
  const entry = { ...entryOf(command, 'card_fee_returned'), posted: amount };
  return [{ type: 'CardFeeReturned', data: { ...movementData(state, command, entry), amount } }];
}

function transfer(
  state: CardAccount,
  command: CommandOf<'sendTransfer' | 'receiveTransfer'>,
  before: Entries,
): Decision {
  const { from, to, rate } = command.transfer;
  if (before.length > 0) return [];
  if (command.type === 'receiveTransfer') {
    const entry = { ...entryOf(command, 'transfer_received'), posted: to.amount };
    return [
      { type: 'CardTransferReceived', data: { ...movementData(state, command, entry), from, to, rate } },
    ];
  }
  const refusal = whyNotSpent(state, from.amount);
  if (refusal) return refusal;
  const entry = { ...entryOf(command, 'transfer_sent'), posted: (-BigInt(from.amount)).toString() };
  return [{ type: 'CardTransferSent', data: { ...movementData(state, command, entry), from, to, rate } }];
}

/** What the holder asks for is paid from what is there. @param amount in units of the account */
function whyNotSpent(state: CardAccount, amount: string): Refusal | null {
  if (state.state !== 'ACTIVE')
    return refuse('card_account_state', `An account that is ${state.state} pays nothing.`);
  if (BigInt(amount) > availableOf(state.balance))
    return refuse('card_funds_insufficient', 'The account has less than that.');
  return null;
}

const NOTHING = { fiat: '0', rate: null, posted: '0', final: false, interchange: null, reason: null };

function entryOf({ entryId, occurredAt }: Movement, kind: CardEntry['kind']): CardEntry {
  return { ...NOTHING, id: entryId, kind, at: occurredAt };
}

function holdEntry(command: PurchaseMovement, kind: 'authorised' | 'incremented' | 'reversed'): CardEntry {
  const { fiat, rate } = command.amounts;
  return { ...entryOf(command, kind), fiat: fiat.amount, rate };
}

function heldData(
  state: CardAccount,
  command: Extract<MovementCommand, PurchaseMovement>,
  before: Entries,
  kind: 'authorised' | 'incremented' | 'reversed',
) {
  const entry = holdEntry(command, kind);
  return { ...purchaseData(state, command, entry), charged: chargedWith(entry, before) };
}

function chargedWith(entry: CardEntry, before: Entries): string {
  return (chargedOf([...before, entry]) - chargedOf(before)).toString();
}

function movementData(state: CardAccount, command: MovementCommand, entry: CardEntry) {
  const { transactionId, archived, metadata } = command;
  const before = entriesOf(state, command);
  return {
    ...factsOf(state, metadata),
    transactionId,
    cardId: command.cardId,
    entry,
    earlier: state.transactions[transactionId] ? [] : [...archived],
    balance: balanceWith(state.balance, before, entry, state.tzOffset),
  };
}

function endedData(
  state: CardAccount,
  command: CommandOf<'recordVoided' | 'recordExpired'>,
  kind: 'voided' | 'expired',
) {
  const released = releasedAmounts(state, entriesOf(state, command));
  return { ...movementData(state, command, entryOf(command, kind)), released };
}

function releasedAmounts({ fiatCurrency: currency }: CardAccount, entries: Entries) {
  const held = heldOf(entries);
  if (!held) return null;
  const money = { amount: held.fiat.toString(), currency };
  return { merchant: money, fiat: money, rate: held.rate };
}

function purchaseData(
  state: CardAccount,
  command: Extract<MovementCommand, PurchaseMovement>,
  entry: CardEntry,
) {
  const { amounts, merchant } = command;
  return { ...movementData(state, command, entry), amounts, merchant };
}

function entriesOf(state: CardAccount, { transactionId, archived }: Movement): Entries {
  return state.transactions[transactionId]?.entries ?? archived;
}

function factsOf({ accountId, network, userId }: CardAccount, { now }: { readonly now: string }) {
  return { accountId, network, userId, at: now };
}

function isToBeCarried({ sinceCarried, transactions }: CardAccount): boolean {
  // Ids and amounts are ASCII.
  return sinceCarried >= EVENTS_CARRIED && JSON.stringify(transactions).length <= MAX_CARRIED_BYTES;
}

function carriedForward(
  { sinceCarried: _sinceCarried, ...state }: CardAccount,
  { metadata }: CardAccountCommand,
): CardAccountEvent {
  return { type: 'CardAccountCarriedForward', data: { ...state, at: metadata.now } };
}
