import { z } from 'zod';
import { CARD_USES } from '../../../contracts/card-issuer/issuer';
import { CARD_CATEGORY, cardEvents } from '../../../contracts/events/card';
import { CARD_CHALLENGE_CATEGORY, cardChallengeEvents } from '../../../contracts/events/card-challenge';
import { CARD_USER_CATEGORY, cardUserEvents } from '../../../contracts/events/card-user';
import { categoryOf } from '../../../contracts/category';
import { TON_NETWORKS } from '../../../contracts/network/network';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { NewJob } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';

const CARD_ISSUER_QUEUE = 'card-issuer';
/** Somebody waits at a checkout: whatever else there is to tell, of whichever card holders, answers are told at once. */
const CARD_ANSWER_QUEUE = 'card-issuer-answers';

export const CARD_ISSUER_QUEUES = [CARD_ISSUER_QUEUE, CARD_ANSWER_QUEUE] as const;

/** What the issuer is to be told. */
const task = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('issue'), cardId: z.string() }),
  z.object({ kind: z.literal('use'), cardId: z.string(), use: z.enum(CARD_USES), number: z.int() }),
  z.object({ kind: z.literal('kyc'), userId: z.string() }),
  z.object({ kind: z.literal('challenge'), network: z.enum(TON_NETWORKS), challengeId: z.string() }),
]);
export type IssuerTask = z.output<typeof task>;

/** @param run from 1: one more after each time that the issuer did not answer */
export const issuerJobData = z.object({ id: z.string(), run: z.int(), task });

/** Only faults of ours, and what the issuer refuses, fail a run. */
const ATTEMPTS = 3;

export function issuerJob(id: string, run: number, task: IssuerTask, delayMs = 0): NewJob {
  const data: z.output<typeof issuerJobData> = { id, run, task };
  const queue = task.kind === 'challenge' ? CARD_ANSWER_QUEUE : CARD_ISSUER_QUEUE;
  return { queue, id: `${id}/${run}`, data, delayMs, attempts: ATTEMPTS };
}

/** Whatever the issuer has to be told becomes a job. */
export const issuerReaction: Reaction = {
  name: 'card-issuer',
  categories: [CARD_CATEGORY, CARD_USER_CATEGORY, CARD_CHALLENGE_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const task = taskOf(recorded);
    return task ? [issuerJob(recorded.id, 1, task)] : [];
  },
};

function taskOf(recorded: RecordedEvent): IssuerTask | null {
  switch (categoryOf(recorded.stream)) {
    case CARD_CATEGORY:
      return cardTask(recorded);
    case CARD_USER_CATEGORY: {
      const { type, data } = cardUserEvents.read(recorded);
      return type === 'CardUserKycStarted' ? { kind: 'kyc', userId: data.userId } : null;
    }
    default: {
      const { type, data } = cardChallengeEvents.read(recorded);
      const { network, challengeId } = data;
      return type === 'CardChallengeAnswered' ? { kind: 'challenge', network, challengeId } : null;
    }
  }
}

function cardTask(recorded: RecordedEvent): IssuerTask | null {
  const { type, data } = cardEvents.read(recorded);
  const { cardId } = data;
  const use = (what: (typeof CARD_USES)[number]): IssuerTask => ({
    kind: 'use',
    cardId,
    use: what,
    number: recorded.revision,
  });
  switch (type) {
    case 'CardIssuingAsked':
      return { kind: 'issue', cardId };
    case 'CardFreezeAsked':
      return use('freeze');
    case 'CardUnfreezeAsked':
      return use('unfreeze');
    case 'CardBlockAsked':
      return use('block');
    case 'CardReplaced':
      return use('close');
    case 'CardClosed':
      return data.by === 'issuer' ? null : use('close');
    default:
      return null;
  }
}
