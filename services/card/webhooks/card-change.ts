import type { IssuerWebhookOf } from '../../../contracts/card-issuer/webhooks';
import type { CardState } from '../../../projections/card/card-state';
import { changeCard } from '../card/commands';
import type { CardCommand } from '../card/decider';
import { replaceCard } from '../card/replacement';
import type { CardWebhookDeps } from './deps';
import { resultOf, type WebhookResult } from './result';

type CardWebhook = IssuerWebhookOf<
  'card.issued' | 'card.not_issued' | 'card.shipment' | 'card.changed' | 'card.verification'
>;

const CHANGES = {
  frozen: 'recordFrozen',
  unfrozen: 'recordUnfrozen',
  blocked: 'recordBlocked',
  closed: 'recordClosed',
} as const;

/** What the issuer has done with a card, because it was asked, or of itself. */
export async function receiveCardChange(
  deps: Pick<CardWebhookDeps, 'store' | 'handle' | 'clock'>,
  webhook: CardWebhook | IssuerWebhookOf<'card.replaced'>,
  card: CardState,
): Promise<WebhookResult> {
  const metadata = { now: deps.clock().toISOString(), actor: 'card issuer' };
  if (webhook.type === 'card.replaced') return resultOf(await replaceCard(deps, card, metadata));
  const command = { ...commandOf(webhook), metadata } as Parameters<typeof changeCard>[2];
  return resultOf(await changeCard(deps, webhook.data.cardId, command));
}

type WithoutMetadata<Command> = Command extends unknown ? Omit<Command, 'metadata'> : never;

function commandOf({ type, data }: CardWebhook): WithoutMetadata<CardCommand> {
  switch (type) {
    case 'card.issued': {
      const { issuerCardId, lastFourDigits } = data;
      return { type: 'recordIssued', issuerCardId, lastFourDigits };
    }
    case 'card.not_issued':
      return { type: 'recordIssuingFailed', reason: data.reason };
    case 'card.shipment':
      return { type: 'moveDelivery', status: data.status, trackNumber: data.trackNumber };
    case 'card.changed': {
      const { to, reason, occurredAt } = data;
      return { type: CHANGES[to], by: 'issuer', reason, occurredAt };
    }
    case 'card.verification': {
      const { of, occurredAt } = data;
      return of === null
        ? { type: 'recordVerified', occurredAt }
        : { type: 'askVerification', of, occurredAt };
    }
  }
}
