import { z } from 'zod';
import { endpoint } from '../endpoint';
import { CARD, cardPath, cardToken } from './mount';

/** What may have changed; none says how: the app reads it again. */
export const CARD_UPDATES = [
  'state_change',
  'accounts_changed',
  'balance_change',
  'limits_change',
  'prepaid_transaction',
  'inapp_otp',
  'inapp_otp_confirmation',
] as const;
export type CardUpdate = (typeof CARD_UPDATES)[number];

const updateFrame = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['connected', ...CARD_UPDATES]) }),
    z.object({ type: z.literal('error'), message: z.literal('invalid_token') }),
  ])
  .meta({ id: 'CardUpdateFrame' });
export type CardUpdateFrame = z.output<typeof updateFrame>;

/** A token, and nothing else. */
const MAX_RECEIVED_BYTES = 1_024;

export const cardUpdates = endpoint({
  group: CARD,
  method: 'GET',
  ...cardPath('/v2/updates'),
  operationId: 'watchCardUpdates',
  kind: 'websocket',
  summary:
    'Notifies a card holder of changes, which the wallet then reads. The first message is `{"type":"connect","token":…}`: without one within ten seconds the connection is closed, as it is when the token expires or is revoked',
  examples: [{}],
  body: z.object({ type: z.literal('connect'), token: cardToken }),
  bodyLimit: MAX_RECEIVED_BYTES,
  response: updateFrame,
  errors: ['card_off'],
});
