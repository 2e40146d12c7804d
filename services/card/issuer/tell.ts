import { IssuerRefused, type CardIssuer, type CardUse } from '../../../contracts/card-issuer/issuer';
import { cardChallengeStream } from '../../../contracts/events/card-challenge';
import { cardAccountEvents, cardAccountStream } from '../../../contracts/events/card-account';
import { cardStream } from '../../../contracts/events/card';
import { cardUserStream } from '../../../contracts/events/card-user';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { CardState } from '../../../projections/card/card-state';
import type { Handle } from '../../commands/handle';
import { load } from '../../commands/load';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { changeCard } from '../card/commands';
import { cardKind } from '../card/decider';
import { cardChallengeKind } from '../challenge/decider';
import { cardUserKind } from '../user/decider';
import type { IssuerTask } from './jobs';

export interface TellDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly texts: Pick<PersonalTexts, 'decrypt'>;
  readonly issuer: () => Promise<CardIssuer>;
  readonly clock: () => Date;
}

/**
 * Tells the issuer what it is to do, unless it is no longer to. Repeated, it changes nothing.
 * @throws IssuerRefused where nobody can be told, IssuerUnavailable
 */
export async function tellIssuer(deps: TellDeps, task: IssuerTask, signal: AbortSignal): Promise<void> {
  switch (task.kind) {
    case 'issue':
      return issue(deps, task.cardId, signal);
    case 'use':
      return change(deps, task, signal);
    case 'kyc':
      return identify(deps, task.userId, signal);
    case 'challenge':
      return answer(deps, task, signal);
  }
}

/** Of a card that the issuer is to be told of. */
const USAGE: Readonly<Record<CardUse, CardState['usage']>> = {
  freeze: 'freezing',
  unfreeze: 'unfreezing',
  block: 'blocking',
  close: 'closed',
};

/** What the issuer refuses is as it was before: else it would wait for ever. What is closed here stays so, whatever the issuer says. */
async function change(
  deps: TellDeps,
  { cardId, use, number }: Extract<IssuerTask, { kind: 'use' }>,
  signal: AbortSignal,
): Promise<void> {
  const card = await load(deps.store, cardKind, cardStream(cardId));
  if (card?.usage !== USAGE[use] || card.progress === 'ordered' || card.progress === 'paid') return;
  try {
    await (await deps.issuer()).changeCard(cardId, { use, number }, { signal });
  } catch (error) {
    if (!(error instanceof IssuerRefused) || use === 'close') throw error;
    const { reason } = error;
    const refused = { type: 'recordRefused', asked: use, askedAt: card.changedAt, reason } as const;
    await changeCard(deps, cardId, { ...refused, metadata: metadataOf(deps) });
  }
}

/** Whom the issuer refuses is not identified: else nobody would ever say so. */
async function identify(deps: TellDeps, userId: string, signal: AbortSignal): Promise<void> {
  const stream = cardUserStream(userId);
  const user = await load(deps.store, cardUserKind, stream);
  if (!user || user.kyc.startedAt === null) return;
  try {
    await (await deps.issuer()).startKyc({ userId, network: user.network }, { signal });
  } catch (error) {
    if (!(error instanceof IssuerRefused)) throw error;
    const metadata = metadataOf(deps);
    await deps.handle(cardUserKind, stream, {
      type: 'decide_kyc',
      result: 'RED',
      decidedAt: metadata.now,
      profile: null,
      metadata,
    });
  }
}

async function issue(deps: TellDeps, cardId: string, signal: AbortSignal): Promise<void> {
  const card = await load(deps.store, cardKind, cardStream(cardId));
  if (!card || card.progress === 'ordered' || card.progress === 'paid' || card.usage === 'closed') return;
  const { accountId, userId, network, type, schema, design, productId, personalizationCode } = card;
  const accountCurrency = await currencyOf(deps, accountId);
  const details = card.delivery && (await deps.texts.decrypt(card.delivery.details));
  const delivery = card.delivery && { countryCode: card.delivery.countryCode, details };
  try {
    await (
      await deps.issuer()
    ).issueCard(
      {
        cardId,
        accountId,
        userId,
        network,
        type,
        schema,
        design,
        productId,
        personalizationCode,
        fiatCurrency: card.fiatCurrency,
        delivery,
        accountCurrency,
        replaces: card.replaces,
      },
      { signal },
    );
  } catch (error) {
    if (!(error instanceof IssuerRefused)) throw error;
    const reason = error.reason;
    await changeCard(deps, cardId, { type: 'recordIssuingFailed', reason, metadata: metadataOf(deps) });
  }
}

/** What the first event of the account says. */
async function currencyOf({ store }: TellDeps, accountId: string) {
  for await (const recorded of store.readStream(cardAccountStream(accountId), { limit: 1 })) {
    const { type, data } = cardAccountEvents.read(recorded);
    if (type === 'CardAccountOpened') return data.currency;
  }
  throw new Error(`there is no account ${accountId}`);
}

/** Once the issuer has the answer, or no longer wants it, the challenge has ended. */
async function answer(
  deps: TellDeps,
  { network, challengeId }: Extract<IssuerTask, { kind: 'challenge' }>,
  signal: AbortSignal,
): Promise<void> {
  const stream = cardChallengeStream(network, challengeId);
  const challenge = await load(deps.store, cardChallengeKind, stream);
  if (!challenge || challenge.answer === null || challenge.outcome !== null) return;
  const { userId, accountId, cardId } = challenge;
  const isConfirmed = challenge.answer === 'CONFIRMED';
  let outcome: 'confirmed' | 'rejected' | 'expired' = isConfirmed ? 'confirmed' : 'rejected';
  try {
    await (await deps.issuer()).answerChallenge(challengeId, isConfirmed, { signal });
  } catch (error) {
    if (!(error instanceof IssuerRefused) || error.reason !== 'challenge_expired') throw error;
    outcome = 'expired';
  }
  await deps.handle(cardChallengeKind, stream, {
    type: 'end',
    facts: { challengeId, network, userId, accountId, cardId },
    outcome,
    metadata: metadataOf(deps),
  });
}

function metadataOf({ clock }: TellDeps) {
  return { now: clock().toISOString(), actor: 'card issuer' };
}
