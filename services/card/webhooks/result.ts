import type { Refusal } from '../../../contracts/decider';
import type { CardDeclineReason } from '../../../contracts/events/card-account';
import type { SetAsideReason } from '../../../contracts/events/card-webhook';

/** What has become of a webhook. */
export type WebhookResult =
  | { readonly result: 'recorded' | 'approved' }
  | { readonly result: 'declined'; readonly reason: CardDeclineReason }
  /** It cannot be used. */
  | { readonly result: 'set_aside'; readonly reason: SetAsideReason; readonly detail: string };

export const RECORDED: WebhookResult = { result: 'recorded' };

/** @param detail for an operator; nothing that is personal */
export function setAside(reason: SetAsideReason, detail: string): WebhookResult {
  return { result: 'set_aside', reason, detail };
}

export function resultOf({ refusal }: { readonly refusal: Refusal | null }): WebhookResult {
  return refusal ? setAside('refused', `${refusal.code}: ${refusal.detail}`) : RECORDED;
}
