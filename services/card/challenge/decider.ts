import type { CommandMetadata } from '../../../contracts/decider';
import {
  cardChallengeEvents,
  type CardChallengeAnswer,
  type CardChallengeEvent,
  type CardChallengeKind,
  type CardChallengeOutcome,
} from '../../../contracts/events/card-challenge';
import type { OtpAnswerError } from '../../../contracts/http/card/otp';
import type { StreamKind } from '../../commands/stream-kind';
import type { Remove } from '../../retention/retention';

type Received = Omit<Extract<CardChallengeEvent, { type: 'CardChallengeReceived' }>['data'], 'at'>;
/** Which challenge, and whose. */
export type ChallengeFacts = Pick<Received, 'challengeId' | 'network' | 'userId' | 'accountId' | 'cardId'>;

export type CardChallengeCommand =
  | { readonly type: 'receive'; readonly challenge: Received; readonly metadata: CommandMetadata }
  | {
      readonly type: 'answer';
      /** Who answers. */
      readonly userId: string;
      readonly answer: CardChallengeAnswer;
      readonly metadata: CommandMetadata;
    }
  | {
      readonly type: 'end';
      readonly facts: ChallengeFacts;
      readonly outcome: CardChallengeOutcome;
      readonly metadata: CommandMetadata;
    };

export type CardChallenge = ChallengeFacts & {
  /** Null of one that ended before it was received. */
  readonly kind: CardChallengeKind | null;
  readonly expiresAt: string | null;
  readonly answer: CardChallengeAnswer | null;
  /** Null while the issuer waits. */
  readonly outcome: CardChallengeOutcome | null;
};

/** What an issuer asks a card holder: answered once, before it expires. Its messages may arrive in any order. */
export const cardChallengeKind: StreamKind<
  CardChallenge | null,
  CardChallengeCommand | Remove,
  CardChallengeEvent
> = {
  events: cardChallengeEvents,
  decider: {
    initial: () => null,
    evolve,
    decide(state, command) {
      const { now: at } = command.metadata;
      switch (command.type) {
        case 'receive':
          return state ? [] : [{ type: 'CardChallengeReceived', data: { ...command.challenge, at } }];
        case 'answer': {
          const { userId, answer } = command;
          if (!state || whyNotAnswered(state, userId, at) !== null) return [];
          return [{ type: 'CardChallengeAnswered', data: { ...factsOf(state), answer, at } }];
        }
        case 'end': {
          const { facts, outcome } = command;
          if (state && (state.outcome !== null || state.cardId !== facts.cardId)) return [];
          return [{ type: 'CardChallengeEnded', data: { ...facts, outcome, at } }];
        }
        case 'remove':
          return state ? [{ type: 'CardChallengeRemoved', data: { ...factsOf(state), at } }] : [];
      }
    },
  },
};

function evolve(before: CardChallenge | null, { type, data }: CardChallengeEvent): CardChallenge | null {
  switch (type) {
    case 'CardChallengeReceived': {
      const { kind, expiresAt } = data;
      return { ...factsOf(data), kind, expiresAt, answer: null, outcome: null };
    }
    case 'CardChallengeAnswered':
      return before && { ...before, answer: data.answer };
    case 'CardChallengeEnded':
      return {
        kind: null,
        expiresAt: null,
        answer: null,
        ...(before ?? factsOf(data)),
        outcome: data.outcome,
      };
    case 'CardChallengeRemoved':
      return before;
  }
}

/** Why a card holder cannot answer; null when it can. What is another's is as one that is unknown. */
export function whyNotAnswered(
  challenge: CardChallenge | null,
  userId: string,
  now: string,
): OtpAnswerError | null {
  if (!challenge || challenge.userId !== userId || challenge.outcome === 'expired') return 'expired';
  const { kind, expiresAt, answer, outcome } = challenge;
  if (kind !== null && kind !== 'confirmation_request') return 'not_confirmation_type';
  if (answer === 'CONFIRMED' || outcome === 'confirmed') return 'already_confirmed';
  if (answer === 'REJECTED' || outcome === 'rejected') return 'already_rejected';
  return expiresAt === null || Date.parse(expiresAt) <= Date.parse(now) ? 'expired' : null;
}

function factsOf({ challengeId, network, userId, accountId, cardId }: ChallengeFacts): ChallengeFacts {
  return { challengeId, network, userId, accountId, cardId };
}
