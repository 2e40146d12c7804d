import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  CARD_DELIVERY_STATES,
  cardEvents,
  type CardChangedBy,
  type CardDeliveryState,
  type CardEvent,
} from '../../../contracts/events/card';
import { cardAfter, cardStatus, isOvertaken, type CardState } from '../../../projections/card/card-state';
import type { StreamKind } from '../../commands/stream-kind';

export type CardOrdering = Omit<Extract<CardEvent, { type: 'CardOrdered' }>['data'], 'at'>;

/** A change of how a card may be used. */
interface Change {
  readonly by: CardChangedBy;
  readonly reason: string;
  /** By the clock of who has changed it: RFC 3339 UTC instant. */
  readonly occurredAt: string;
}

export type CardCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'order';
      readonly card: CardOrdering;
      /** Cards of the account, as far as is known: all, and those that are not closed. */
      readonly all: number;
      readonly open: number;
    }
  /** The fee was charged: the issuer is to be asked for the card. */
  | { readonly type: 'pay' }
  | { readonly type: 'recordIssued'; readonly issuerCardId: string; readonly lastFourDigits: string }
  | { readonly type: 'recordIssuingFailed'; readonly reason: string }
  | { readonly type: 'moveDelivery'; readonly status: CardDeliveryState; readonly trackNumber: string | null }
  /** `occurredAt`: by the clock of the issuer, RFC 3339 UTC. */
  | { readonly type: 'askVerification'; readonly of: 'client' | 'card'; readonly occurredAt: string }
  | { readonly type: 'recordVerified'; readonly occurredAt: string }
  | { readonly type: 'replace'; readonly replacedBy: string }
  /** Asked for: the issuer is to be told. */
  | ({ readonly type: 'freeze' | 'unfreeze' | 'block' | 'close' } & Change)
  /** The issuer does not do what it was asked for. `askedAt`: when the card was changed to what it was asked for. */
  | {
      readonly type: 'recordRefused';
      readonly asked: 'freeze' | 'unfreeze' | 'block';
      readonly askedAt: string;
      readonly reason: string;
    }
  /** What the issuer says it has done, of itself or because it was asked. */
  | ({ readonly type: 'recordFrozen' | 'recordUnfrozen' | 'recordBlocked' | 'recordClosed' } & Change)
);

type CommandOf<Type extends CardCommand['type']> = Extract<CardCommand, { readonly type: Type }>;
type Decision = readonly CardEvent[] | Refusal;

/** Of an account: at a time, and for good. */
export const MAX_OPEN_CARDS = 10;
export const MAX_CARDS = 100;

/** A card: ordered, paid for, issued, and then used until it is blocked or closed. */
export const cardKind: StreamKind<CardState | null, CardCommand, CardEvent> = {
  events: cardEvents,
  decider: {
    initial: () => null,
    evolve: cardAfter,
    decide(state, command) {
      if (command.type === 'order') return order(state, command);
      if (!state) return refuse('card_not_found', 'There is no such card.');
      switch (command.type) {
        case 'pay':
          return pay(state, command);
        case 'recordIssued':
        case 'recordIssuingFailed':
          return endIssuing(state, command);
        case 'moveDelivery':
          return moveDelivery(state, command);
        case 'askVerification':
        case 'recordVerified':
          return verify(state, command);
        case 'replace':
          return replace(state, command);
        case 'freeze':
        case 'unfreeze':
        case 'block':
        case 'close':
          return ask(state, command);
        case 'recordRefused':
          return recordRefused(state, command);
        default:
          return record(state, command);
      }
    },
  },
};

function order(state: CardState | null, { card, all, open, metadata }: CommandOf<'order'>): Decision {
  if (state) return [];
  if (open >= MAX_OPEN_CARDS)
    return refuse('too_many_cards', `An account has at most ${MAX_OPEN_CARDS} cards that are not closed.`);
  if (all >= MAX_CARDS)
    return refuse(
      'too_many_cards',
      `An account has at most ${MAX_CARDS} cards, those that are closed included.`,
    );
  return [{ type: 'CardOrdered', data: { ...card, at: metadata.now } }];
}

function pay(state: CardState, { metadata }: CommandOf<'pay'>): Decision {
  if (state.progress !== 'ordered') return [];
  if (state.usage === 'closed') return refused(state);
  const facts = factsOf(state, metadata);
  return [
    { type: 'CardPaid', data: { ...facts, amount: state.fee } },
    { type: 'CardIssuingAsked', data: facts },
  ];
}

function endIssuing(state: CardState, command: CommandOf<'recordIssued' | 'recordIssuingFailed'>): Decision {
  if (state.progress !== 'issuing' || state.usage === 'closed') return [];
  const facts = factsOf(state, command.metadata);
  if (command.type === 'recordIssuingFailed')
    return [{ type: 'CardIssuingFailed', data: { ...facts, reason: command.reason } }];
  const { issuerCardId, lastFourDigits } = command;
  return [{ type: 'CardIssued', data: { ...facts, issuerCardId, lastFourDigits } }];
}

/** Only onwards: messages of the issuer arrive in any order. */
function moveDelivery(
  state: CardState,
  { status, trackNumber, metadata }: CommandOf<'moveDelivery'>,
): Decision {
  if (!state.delivery?.status) return [];
  const isOnward = CARD_DELIVERY_STATES.indexOf(status) > CARD_DELIVERY_STATES.indexOf(state.delivery.status);
  const isKnown = trackNumber === null || trackNumber === state.delivery.trackNumber;
  if (!isOnward && isKnown) return [];
  const moved = {
    status: isOnward ? status : state.delivery.status,
    trackNumber: trackNumber ?? state.delivery.trackNumber,
  };
  return [{ type: 'CardDeliveryMoved', data: { ...factsOf(state, metadata), ...moved } }];
}

/** The newest counts, and of two at once what is to be checked. It is recorded also where it changes nothing: an older one may still arrive. */
function verify(state: CardState, command: CommandOf<'askVerification' | 'recordVerified'>): Decision {
  const { occurredAt, metadata } = command;
  const { verification, verificationAt } = state;
  const later = verificationAt === null ? 1 : Date.parse(occurredAt) - Date.parse(verificationAt);
  if (later < 0 || (later === 0 && (command.type === 'recordVerified' || verification !== null))) return [];
  const facts = { ...factsOf(state, metadata), occurredAt };
  return command.type === 'recordVerified'
    ? [{ type: 'CardVerified', data: facts }]
    : [{ type: 'CardVerificationAsked', data: { ...facts, of: command.of } }];
}

function replace(state: CardState, { replacedBy, metadata }: CommandOf<'replace'>): Decision {
  if (state.replacedBy === replacedBy) return [];
  if (state.usage === 'closed' || state.progress === 'ordered') return refused(state);
  return [{ type: 'CardReplaced', data: { ...factsOf(state, metadata), replacedBy } }];
}

const ASKED = {
  freeze: { type: 'CardFreezeAsked', done: ['freezing', 'frozen'], from: ['active', 'unfreezing'] },
  unfreeze: { type: 'CardUnfreezeAsked', done: ['unfreezing', 'active'], from: ['frozen', 'freezing'] },
  block: {
    type: 'CardBlockAsked',
    done: ['blocking', 'blocked'],
    from: ['active', 'freezing', 'frozen', 'unfreezing'],
  },
  close: {
    type: 'CardClosed',
    done: ['closed'],
    from: ['active', 'freezing', 'frozen', 'unfreezing', 'blocking', 'blocked'],
  },
} as const satisfies Record<string, Moves>;

interface Moves {
  readonly type: CardEvent['type'];
  readonly done: readonly CardState['usage'][];
  readonly from: readonly CardState['usage'][];
}

function ask(state: CardState, command: CommandOf<'freeze' | 'unfreeze' | 'block' | 'close'>): Decision {
  const { type, done, from }: Moves & { type: (typeof ASKED)[keyof typeof ASKED]['type'] } =
    ASKED[command.type];
  // What its holder has frozen, others can freeze as well: then the holder does not use it again.
  const isTaken = command.type === 'freeze' && command.by !== 'holder' && state.changedBy === 'holder';
  if (done.includes(state.usage)) {
    if (!isTaken) return [];
  } else if (!from.includes(state.usage)) return refused(state);
  if (command.type !== 'close' && state.progress !== 'issued') return refused(state);
  // What somebody else has frozen, the holder does not use again.
  if (command.type === 'unfreeze' && command.by === 'holder' && state.changedBy !== 'holder')
    return refuse('card_state', 'The card was not frozen by its holder.');
  return [{ type, data: changeOf(state, command) }];
}

/** Unless something else was asked for since, or has happened. */
function recordRefused(state: CardState, command: CommandOf<'recordRefused'>): Decision {
  const { asked, askedAt, reason, metadata } = command;
  const [pending] = ASKED[asked].done;
  if (state.usage !== pending || state.changedAt !== askedAt) return [];
  const to = state.confirmed.usage === 'frozen' ? 'frozen' : 'active';
  return [{ type: 'CardChangeRefused', data: { ...factsOf(state, metadata), asked, to, reason } }];
}

const RECORDED = {
  recordFrozen: { type: 'CardFrozen', answers: 'freezing', usage: 'frozen' },
  recordUnfrozen: { type: 'CardUnfrozen', answers: 'unfreezing', usage: 'active' },
  recordBlocked: { type: 'CardBlocked', answers: 'blocking', usage: 'blocked' },
  recordClosed: { type: 'CardClosed', answers: null, usage: 'closed' },
} as const;

/**
 * What was asked for is confirmed whenever it arrives; what the issuer does of itself counts when it is the newest, and is recorded also where
 * the card is so already: an older message may still arrive.
 */
function record(
  state: CardState,
  command: CommandOf<'recordFrozen' | 'recordUnfrozen' | 'recordBlocked' | 'recordClosed'>,
): Decision {
  const { type, answers, usage } = RECORDED[command.type];
  const isLast = type === 'CardBlocked' || type === 'CardClosed';
  if (state.usage === 'closed' || (isLast && state.usage === usage)) return [];
  if (!isLast && state.usage === 'blocked') return [];
  const said = { usage, changedBy: command.by, changedAt: command.occurredAt };
  const isLate = isOvertaken(state, said);
  const { changedAt } = isLate ? state.confirmed : state;
  const isNewest = Date.parse(command.occurredAt) > Date.parse(changedAt);
  if (!isLast && state.usage !== answers && !isNewest) return [];
  const change = changeOf(state, command);
  // Who has asked for it stays who has changed it.
  const isKnown = isLate || state.usage === answers || state.usage === usage;
  const by = isKnown && state.changedBy ? state.changedBy : command.by;
  return [{ type, data: { ...change, by } }];
}

function changeOf(state: CardState, { by, reason, occurredAt, metadata }: Change & CardCommand) {
  return { ...factsOf(state, metadata), by, reason, occurredAt };
}

function factsOf({ cardId, accountId, network, userId }: CardState, { now }: CommandMetadata) {
  return { cardId, accountId, network, userId, at: now };
}

const refused = (state: CardState): Refusal =>
  refuse('card_state', `A card that is ${cardStatus(state)} does not allow it.`);
