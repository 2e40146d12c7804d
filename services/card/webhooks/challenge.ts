import type { IssuerWebhookOf } from '../../../contracts/card-issuer/webhooks';
import { cardChallengeStream } from '../../../contracts/events/card-challenge';
import type { CardState } from '../../../projections/card/card-state';
import { cardChallengeKind } from '../challenge/decider';
import type { CardWebhookDeps } from './deps';
import { RECORDED, resultOf, setAside, type WebhookResult } from './result';

/** What the issuer asks a card holder, and that it no longer does. A code is encrypted for the holder. */
export async function receiveChallenge(
  { handle, texts, clock }: Pick<CardWebhookDeps, 'handle' | 'texts' | 'clock'>,
  { type, data }: IssuerWebhookOf<'challenge.requested' | 'challenge.ended'>,
  { cardId, accountId, userId, network }: CardState,
): Promise<WebhookResult> {
  const { challengeId } = data;
  const facts = { challengeId, network, userId, accountId, cardId };
  const metadata = { now: clock().toISOString(), actor: 'card issuer' };
  const stream = cardChallengeStream(network, challengeId);
  const outcome =
    type === 'challenge.ended'
      ? await handle(cardChallengeKind, stream, { type: 'end', facts, outcome: data.outcome, metadata })
      : await handle(cardChallengeKind, stream, {
          type: 'receive',
          challenge: { ...facts, ...(await askedOf(texts, data, userId)) },
          metadata,
        });
  if (outcome.refusal) return resultOf(outcome);
  return outcome.state?.cardId === cardId
    ? RECORDED
    : setAside('refused', 'another card has a challenge with the same id');
}

async function askedOf(
  texts: CardWebhookDeps['texts'],
  data: IssuerWebhookOf<'challenge.requested'>['data'],
  userId: string,
) {
  const { kind, expiresAt } = data;
  if (kind === 'confirmation_request') {
    const { amount, merchant } = data;
    return { kind, code: null, amount, merchant, expiresAt };
  }
  const { amount = null, merchant = null } = kind === 'otp_code' ? data : {};
  return { kind, code: await texts.encrypt(userId, data.code), amount, merchant, expiresAt };
}
