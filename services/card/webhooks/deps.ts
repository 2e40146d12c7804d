import type { TonNetwork } from '../../../contracts/network/network';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import type { CardMoneyDeps } from '../account/commands';

/** What webhooks of the issuer need. */
export interface CardWebhookDeps extends CardMoneyDeps {
  readonly texts: PersonalTexts;
  readonly clock: () => Date;
  /** Opened at the first webhook that is not signed. */
  readonly limits: () => Promise<RateLimits>;
  isOn(network: TonNetwork): boolean;
  /** Any of them signs: there are two while the issuer changes its secret. */
  readonly secrets: readonly Buffer[];
  onWebhook(webhook: { readonly type: string; readonly result: string }): void;
}

/** Which webhook. */
export interface WebhookRef {
  readonly webhookId: string;
  readonly network: TonNetwork;
}
