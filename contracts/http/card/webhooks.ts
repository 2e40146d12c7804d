import { z } from 'zod';
import { WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP } from '../../card-issuer/signature';
import { CARD_DECLINE_REASONS } from '../../events/card-account';
import { SET_ASIDE_REASONS } from '../../events/card-webhook';
import type { Quota } from '../../quota';
import { endpoint } from '../endpoint';
import { CARD, cardPath } from './mount';

export const CARD_UNSIGNED_WEBHOOKS: Quota = {
  name: 'card_unsigned_webhooks',
  of: 'webhooks of the issuer of cards that are not signed by it',
  by: 'address',
  perMinute: 60,
};

const received = z.discriminatedUnion('result', [
  z.object({ ok: z.literal(true), result: z.enum(['recorded', 'approved']) }),
  z.object({ ok: z.literal(true), result: z.literal('declined'), reason: z.enum(CARD_DECLINE_REASONS) }),
  z
    .object({
      ok: z.literal(true),
      result: z.literal('set_aside'),
      reason: z.enum(SET_ASIDE_REASONS),
      detail: z.string(),
    })
    .meta({
      description: 'It cannot be used, and need not be repeated. What it has asked for is not approved',
    }),
]);

export const receiveIssuerWebhook = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/webhooks/issuer'),
  operationId: 'receiveCardIssuerWebhook',
  summary:
    'A webhook of the issuer, signed as Standard Webhooks are. Repeating an id changes nothing, and gets the same answer',
  requestHeaders: {
    [WEBHOOK_ID]: 'The id of the webhook, the same when it is repeated',
    [WEBHOOK_TIMESTAMP]: 'Unix seconds, at most five minutes ago',
    [WEBHOOK_SIGNATURE]:
      '`v1,` and HMAC-SHA256 over `id.timestamp.body` in base64; several are separated by spaces, and one has to be right',
  },
  examples: [
    {
      body: '{"type":"authorisation.expired","data":{"cardId":"1e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b","transactionId":"txn-1","occurredAt":"2026-11-28T12:00:00.000Z"}}',
    },
  ],
  body: z.string().min(1).meta({ description: 'JSON: what the port of the issuer says of webhooks' }),
  bodyType: 'text',
  response: received,
  errors: ['card_off', 'card_webhook_refused', 'rate_limited'],
});
