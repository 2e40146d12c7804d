import { createHmac, timingSafeEqual } from 'node:crypto';

// Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, in base64.

/** The headers of a webhook, in lower case. */
export const WEBHOOK_ID = 'webhook-id';
export const WEBHOOK_TIMESTAMP = 'webhook-timestamp';
export const WEBHOOK_SIGNATURE = 'webhook-signature';

export interface SignedWebhook {
  readonly id: string;
  /** Unix seconds, as text. */
  readonly timestamp: string;
  /** As it was sent: one that is written again may differ. */
  readonly body: string;
}

/** One signature of the header: `v1,` and 44 characters of base64. */
export function signWebhook({ id, timestamp, body }: SignedWebhook, secret: Buffer): string {
  const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
  return `v1,${hmac.digest('base64')}`;
}

/** A sender has two while it changes its secret. */
const MAX_SIGNATURES = 4;

/**
 * Whether one of the signatures of the header is by one of the secrets. Each pair is compared, in constant time.
 * @param header signatures separated by spaces
 */
export function isSignedBy(webhook: SignedWebhook, header: string, secrets: readonly Buffer[]): boolean {
  const given = header.split(' ').slice(0, MAX_SIGNATURES);
  let isSigned = false;
  for (const secret of secrets) {
    const expected = Buffer.from(signWebhook(webhook, secret));
    for (const signature of given.map(text => Buffer.from(text)))
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) isSigned = true;
  }
  return isSigned;
}
