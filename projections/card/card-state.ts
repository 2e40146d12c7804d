import type { CardChangedBy, CardDeliveryState, CardEvent } from '../../contracts/events/card';
import type { CardStatus } from '../../contracts/http/card/fields';

type Ordered = Extract<CardEvent, { type: 'CardOrdered' }>['data'];

/** How a card may be used, who has changed that, and when: by the clock of who did. */
type CardUsage = {
  readonly usage: 'active' | 'freezing' | 'frozen' | 'unfreezing' | 'blocking' | 'blocked' | 'closed';
  readonly changedBy: CardChangedBy | null;
  readonly changedAt: string;
};

/** What is known of a card. */
export type CardState = Omit<Ordered, 'at' | 'delivery'> &
  CardUsage & {
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly progress: 'ordered' | 'paid' | 'issuing' | 'issued';
    /** What the issuer has confirmed: what it is asked for beyond that it may refuse. */
    readonly confirmed: CardUsage;
    /** What the issuer wants checked. */
    readonly verification: 'client' | 'card' | null;
    /** When it was last said what, or that nothing, is to be checked: by the clock of the issuer. */
    readonly verificationAt: string | null;
    readonly issuerCardId: string | null;
    readonly lastFourDigits: string | null;
    readonly delivery:
      | (NonNullable<Ordered['delivery']> & {
          /** Null before the card is paid. */
          readonly status: CardDeliveryState | null;
          readonly trackNumber: string | null;
        })
      | null;
    readonly replacedBy: string | null;
  };

/** The card after an event; decisions and documents are made from the same. */
export function cardAfter(before: CardState | null, event: CardEvent): CardState | null {
  const { type, data } = event;
  if (type === 'CardOrdered') {
    const { at, delivery, ...facts } = data;
    const usage: CardUsage = { usage: 'active', changedBy: null, changedAt: at };
    return {
      ...facts,
      ...usage,
      confirmed: usage,
      createdAt: at,
      updatedAt: at,
      progress: 'ordered',
      verification: null,
      verificationAt: null,
      issuerCardId: null,
      lastFourDigits: null,
      replacedBy: null,
      delivery: delivery && { ...delivery, status: null, trackNumber: null },
    };
  }
  if (!before) return null; // only in a stream that was cut
  const card = { ...before, updatedAt: data.at };
  const delivered = (status: CardDeliveryState) => card.delivery && { ...card.delivery, status };
  switch (type) {
    case 'CardPaid':
      return { ...card, progress: 'paid', delivery: delivered('PENDING') };
    case 'CardIssuingAsked':
      return { ...card, progress: 'issuing', delivery: delivered('ORDERED') };
    case 'CardIssued': {
      const { issuerCardId, lastFourDigits } = data;
      return { ...card, progress: 'issued', issuerCardId, lastFourDigits };
    }
    case 'CardIssuingFailed':
      return { ...card, usage: 'closed' };
    case 'CardDeliveryMoved': {
      const { status, trackNumber } = data;
      return { ...card, delivery: card.delivery && { ...card.delivery, status, trackNumber } };
    }
    case 'CardVerificationAsked':
      return { ...card, verification: data.of, verificationAt: data.occurredAt };
    case 'CardVerified':
      return { ...card, verification: null, verificationAt: data.occurredAt };
    case 'CardReplaced':
      return { ...card, usage: 'closed', replacedBy: data.replacedBy };
    case 'CardChangeRefused': {
      // One that has been frozen again meanwhile is frozen by who did that.
      const { changedBy } = data.asked === 'freeze' && data.to === 'frozen' ? card : card.confirmed;
      return { ...card, ...card.confirmed, changedBy };
    }
    default: {
      const usage: CardUsage = { usage: USAGE[type], changedBy: data.by, changedAt: data.occurredAt };
      if (type.endsWith('Asked')) return { ...card, ...usage };
      return isOvertaken(card, usage)
        ? { ...card, confirmed: usage }
        : { ...card, ...usage, confirmed: usage };
    }
  }
}

const USAGE = {
  CardFreezeAsked: 'freezing',
  CardFrozen: 'frozen',
  CardUnfreezeAsked: 'unfreezing',
  CardUnfrozen: 'active',
  CardBlockAsked: 'blocking',
  CardBlocked: 'blocked',
  CardClosed: 'closed',
} as const;

const ANSWERS: Readonly<Partial<Record<CardUsage['usage'], CardUsage['usage']>>> = {
  freezing: 'frozen',
  unfreezing: 'active',
  blocking: 'blocked',
};

/** Whether something else has been asked for since, which the issuer has not answered: a card that is to be blocked is not used in between. */
export function isOvertaken(card: CardUsage, said: CardUsage): boolean {
  const answer = ANSWERS[card.usage];
  if (answer === undefined || answer === said.usage || said.usage === 'blocked' || said.usage === 'closed')
    return false;
  return card.usage === 'blocking' || Date.parse(said.changedAt) <= Date.parse(card.changedAt);
}

const OF_USAGE = {
  freezing: 'PENDING_FREEZE',
  frozen: 'FROZEN',
  unfreezing: 'PENDING_UNFREEZE',
  blocking: 'PENDING_BLOCK',
  blocked: 'BLOCKED',
  closed: 'CLOSED',
} as const;

/** As wallets know it. A card of plastic is not active before it is made. */
export function cardStatus({ progress, usage, verification, delivery }: CardState): CardStatus {
  if (usage === 'closed' || usage === 'blocked' || usage === 'blocking') return OF_USAGE[usage];
  if (progress === 'ordered') return 'WAITING_FOR_PAYMENT';
  if (progress === 'paid') return 'PENDING_CONTRACT';
  if (progress === 'issuing') return 'PENDING_CARD_ISSUE';
  if (usage !== 'active') return OF_USAGE[usage];
  if (verification) return verification === 'client' ? 'CLIENT_VERIFICATION' : 'CARD_VERIFICATION';
  const isBeingMade = delivery?.status === 'PENDING' || delivery?.status === 'ORDERED';
  return isBeingMade ? 'PENDING_CARD' : 'ACTIVE';
}
