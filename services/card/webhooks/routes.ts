import { CARD_UNSIGNED_WEBHOOKS, receiveIssuerWebhook } from '../../../contracts/http/card/webhooks';
import { bind, type Binding } from '../../http/binding';
import { limitAddress } from '../../http/limits';
import { expectCardOn } from '../enrolment/web-address';
import type { CardWebhookDeps } from './deps';
import { receiveWebhook } from './receive';
import { signedWebhookId } from './verify';

/** What the issuer of cards calls. */
export function cardWebhookRoutes(deps: CardWebhookDeps): Binding[] {
  return [
    bind(receiveIssuerWebhook, async call => {
      const network = expectCardOn(deps, call);
      const { secrets, clock } = deps;
      let webhookId: string;
      try {
        webhookId = signedWebhookId(call, call.body, { secrets, now: clock() });
      } catch (error) {
        await limitAddress(await deps.limits(), CARD_UNSIGNED_WEBHOOKS, call);
        throw error;
      }
      return { ok: true as const, ...(await receiveWebhook(deps, { network, webhookId }, call.body)) };
    }),
  ];
}
