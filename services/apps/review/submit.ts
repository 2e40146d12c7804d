import type { z } from 'zod';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import { appReviewStream } from '../../../contracts/events/app-review';
import type { submitAppReview } from '../../../contracts/http/catalog/apps';
import { accountKey } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { expectSigned } from '../../signed-text';
import { tonAccount, type TonAccount } from '../../../contracts/account/ton-account';
import type { Reader } from '../../watch-account';
import { encryptComment } from '../comment';
import type { AppDeps } from '../deps';
import { appReviewKind } from './decider';

type Body = z.output<NonNullable<typeof submitAppReview.body>>;

interface Submitted {
  readonly reviewer: TonAccount;
  readonly isVerified: boolean;
  /** RFC 3339. */
  readonly at: string;
  readonly position: Position;
}

/** @throws Problem of a wrong signature, or 403 `signature_required` where the wallet has signed its review before */
export async function submitReview(deps: AppDeps, { url, input }: Body, reader: Reader): Promise<Submitted> {
  const reviewer = tonAccount(input.address, input.network, '/body/input/network');
  const { signature, timestamp = 0, publicKey } = input;
  if (signature !== undefined)
    await expectSigned(deps, reviewText(url, input), reviewer, { signature, timestamp, publicKey }, reader);
  const [isVerified, at] = [signature !== undefined, deps.clock().toISOString()];
  const outcome = await deps.handle(appReviewKind, appReviewStream(url, reviewer), {
    type: 'submit',
    url,
    network: reviewer.network,
    address: reviewer.address,
    rating: input.rating,
    isVerified,
    comment: await encryptComment(deps.texts, reviewer, input.comment),
    metadata: { now: at, actor: accountKey(reviewer) },
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return { reviewer, isVerified, at, position: outcome.position };
}

/** The text that a wallet signs: canonical JSON (RFC 8785), in which no field can pass for another. */
export function reviewText(
  url: string,
  { address, rating, comment = null }: Pick<Body['input'], 'address' | 'rating' | 'comment'>,
): (timestamp: number) => string {
  return timestamp => canonicalJson({ type: 'APP_REVIEW', url, address, rating, comment, timestamp });
}
