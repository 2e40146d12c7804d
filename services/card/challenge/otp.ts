import { cardReference, type CardMerchant } from '../../../contracts/events/card-account';
import { cardChallengeStream, type CardChallengeAnswer } from '../../../contracts/events/card-challenge';
import {
  CARD_CHALLENGE_GUESSES,
  type OtpAnswerError,
  type OtpRequest,
} from '../../../contracts/http/card/otp';
import { formatFiat } from '../../../contracts/money/fiat-decimals';
import { cardUserState } from '../../../projections/card/fold-user';
import { CARD_CHALLENGES, findOpenChallenge, type OpenChallenge } from '../../../projections/card/challenges';
import type { AnyCall } from '../../http/call';
import { limitSubject } from '../../http/limits';
import { load } from '../../commands/load';
import type { CardDeps } from '../deps';
import type { CardCaller } from '../tokens/caller';
import { cardChallengeKind, whyNotAnswered } from './decider';

export type OtpDeps = Pick<CardDeps, 'store' | 'views' | 'handle' | 'texts' | 'limits' | 'clock' | 'waitMs'>;

/** What the issuer asks a card holder; undefined when it asks nothing. @throws DamagedText */
export async function otpRequestOf(
  { views, texts, clock }: OtpDeps,
  { userId, user }: CardCaller,
): Promise<OtpRequest | undefined> {
  if (cardUserState(user) !== 'ok' || user.suspended) return undefined;
  const challenge = await findOpenChallenge(views, userId, clock());
  if (!challenge) return undefined;
  const { kind, code: encrypted } = challenge;
  const asked = askedOf(challenge);
  if (kind === 'confirmation_request') return { ...asked, ...boughtOf(challenge), type: kind };
  // Null when the texts of the holder were erased.
  const code = encrypted && (await texts.decrypt(encrypted));
  if (code === null) return undefined;
  return kind === 'otp_code'
    ? { ...asked, ...boughtOf(challenge), type: kind, code }
    : { ...asked, type: kind, code };
}

function askedOf({ challengeId, expiresAt, cardId, accountId }: OpenChallenge) {
  return { txnId: challengeId, expiresAt, cardId, accountId, status: 'PENDING' as const };
}

function boughtOf({ amount, merchant }: OpenChallenge) {
  const { amount: units, currency } = amount!; // only an activation has none
  return {
    amount: formatFiat(BigInt(units), currency),
    currency,
    ...(merchant && { merchant: merchantView(merchant) }),
  };
}

function merchantView({ dirtyName, ...rest }: CardMerchant) {
  const known = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== null);
  return { dirtyName, ...Object.fromEntries(known) };
}

/**
 * Records the answer of a card holder, once: of two at the same time one wins.
 * @returns why there was nothing to answer; null when it was answered
 * @throws Problem 429 `rate_limited` for who guesses ids
 */
export async function answerOtpRequest(
  { store, views, handle, limits, clock, waitMs }: OtpDeps,
  call: Pick<AnyCall, 'ip' | 'appendHeader'>,
  { userId, network, user }: CardCaller,
  { id, status }: { readonly id: string; readonly status: CardChallengeAnswer },
): Promise<OtpAnswerError | null> {
  if (cardUserState(user) !== 'ok' || user.suspended) return 'disabled_for_provider';
  const guessed = async (): Promise<OtpAnswerError> => {
    await limitSubject(await limits(), CARD_CHALLENGE_GUESSES, userId, call);
    return 'expired';
  };
  if (!cardReference.safeParse(id).success) return guessed();
  const stream = cardChallengeStream(network, id);
  const now = clock().toISOString();
  const before = await load(store, cardChallengeKind, stream);
  if (before?.userId !== userId) return guessed();
  const outcome = await handle(cardChallengeKind, stream, {
    type: 'answer',
    userId,
    answer: status,
    metadata: { now, actor: userId },
  });
  if (outcome.refusal) return 'expired'; // its decider refuses nothing
  if (outcome.events.length === 0) return whyNotAnswered(outcome.state, userId, now);
  await views.waitForPosition(CARD_CHALLENGES.name, outcome.position, waitMs).catch(() => false);
  return null;
}
