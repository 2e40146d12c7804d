import {
  isSignedBy,
  WEBHOOK_ID,
  WEBHOOK_SIGNATURE,
  WEBHOOK_TIMESTAMP,
} from '../../../contracts/card-issuer/signature';
import { cardReference } from '../../../contracts/events/card-account';
import { Problem } from '../../../contracts/problem/problem';
import type { AnyCall } from '../../http/call';

/** A webhook that is repeated is signed again: what is older was recorded by a stranger. */
const MAX_AGE_S = 300;
const UNIX_SECONDS = /^\d{1,11}$/;

/**
 * The id of a webhook that the issuer has signed, not long ago.
 * @param body as it was sent
 * @throws Problem 401 `card_webhook_refused`
 */
export function signedWebhookId(
  { header }: Pick<AnyCall, 'header'>,
  body: string,
  { secrets, now }: { readonly secrets: readonly Buffer[]; readonly now: Date },
): string {
  const id = cardReference.safeParse(header(WEBHOOK_ID)).data;
  const timestamp = header(WEBHOOK_TIMESTAMP);
  const signature = header(WEBHOOK_SIGNATURE);
  if (id === undefined || timestamp === undefined || signature === undefined || !UNIX_SECONDS.test(timestamp))
    throw refused('The headers of a signed webhook are missing, or malformed.');
  if (!isSignedBy({ id, timestamp, body }, signature, secrets)) throw refused('No signature is right.');
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_AGE_S)
    throw refused(`The timestamp is not within ${MAX_AGE_S} seconds.`);
  return id;
}

const refused = (detail: string): Problem => new Problem('card_webhook_refused', detail);
