import { z } from 'zod';
import { securedUrl, type Config } from '../../../config/settings';

/** A secret of Standard Webhooks: 24 to 64 bytes in base64. */
const secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'secrets, each `whsec_` and 24 to 64 bytes in base64');

export const CARD_ISSUING_SETTINGS = {
  /** A gateway of an issuer, that speaks the protocol of the double. */
  CARD_ISSUER_URL: securedUrl.optional(),
  CARD_ISSUER_KEY: z.string().min(16).max(500).optional(),
  CARD_WEBHOOK_SECRETS: z
    .string()
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(z.array(secret).min(1).max(2))
    .optional(),
};

export function checkCardIssuingSettings(config: Config, context: z.RefinementCtx): void {
  const { CARD_ISSUER_URL, CARD_ISSUER_KEY, CARD_WEBHOOK_SECRETS } = config.of(CARD_ISSUING_SETTINGS);
  const given = { CARD_ISSUER_URL, CARD_ISSUER_KEY, CARD_WEBHOOK_SECRETS };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length === 0 || missing.length === Object.keys(given).length) return;
  for (const [name] of missing)
    context.addIssue({
      code: 'custom',
      path: [name],
      message: 'must be set with the others of the issuer of cards',
    });
}

/** The bytes of a secret. */
export function webhookSecretOf(text: string): Buffer {
  return Buffer.from(text.slice('whsec_'.length), 'base64');
}
