import type { z } from 'zod';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import { appReviewStream } from '../../../contracts/events/app-review';
import type { AppComment, submitAppReview } from '../../../contracts/http/catalog/apps';
import { accountKey } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import { Problem } from '../../../contracts/problem/problem';
import { expectSigned } from '../../signed-text';
import { tonAccount, type TonAccount } from '../../../contracts/account/ton-account';
import type { Reader } from '../../watch-account';
import { sentBy } from '../callers';
import { decryptComments, encryptComment } from '../comment';
import { load } from '../../load';
import type { AppDeps } from '../deps';
import { appReviewKind } from './decider';

type Body = z.output<NonNullable<typeof submitAppReview.body>>;

interface Submitted {
  readonly reviewer: TonAccount;
  readonly isVerified: boolean;
  /** RFC 3339: when the caller has said so. */
  readonly at: string;
  /** It is the review of the wallet: not one that stands beside it. */
  readonly isCounted: boolean;
  readonly position: Position;
}

/** @throws Problem of a wrong signature, or 403 `signature_required` where the wallet has signed its review before */
export async function submitReview(deps: AppDeps, { url, input }: Body, reader: Reader): Promise<Submitted> {
  const reviewer = tonAccount(input.address, input.network, '/body/input/network');
  const { signature, timestamp = 0, publicKey } = input;
  if (signature !== undefined)
    await expectSigned(deps, reviewText(url, input), reviewer, { signature, timestamp, publicKey }, reader);
  const [isVerified, now] = [signature !== undefined, deps.clock().toISOString()];
  const stream = appReviewStream(url, reviewer);
  const source = deps.sourceOf(reader.ip, stream);
  const outcome = await deps.handle(appReviewKind, stream, {
    type: 'submit',
    url,
    network: reviewer.network,
    address: reviewer.address,
    rating: input.rating,
    isVerified,
    comment: await commentOf(deps, stream, reviewer, input.comment ?? null),
    source,
    metadata: { now, actor: accountKey(reviewer) },
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const { state, events, position } = outcome;
  const [current] = state!.sent;
  const isCounted = isVerified || sentBy([current], source) !== undefined;
  const isUnchanged = isCounted && events.length === 0;
  return { reviewer, isVerified, at: isUnchanged ? current.at : now, isCounted, position };
}

/** As the review of the wallet has it, where it says the same: so that the review is seen to be unchanged. */
async function commentOf(
  { store, texts }: Pick<AppDeps, 'store' | 'texts'>,
  stream: string,
  reviewer: TonAccount,
  comment: AppComment | null,
): Promise<EncryptedText | null> {
  if (!comment) return null;
  const [current] = (await load(store, appReviewKind, stream))?.sent ?? [];
  const [known] = await decryptComments(texts, [current?.comment ?? null]);
  const isKnown = known && canonicalJson({ ...known }) === canonicalJson({ ...comment });
  // In any case the key is used: it must not go before the review.
  const encrypted = await encryptComment(texts, reviewer, comment);
  return isKnown ? current!.comment : encrypted;
}

/** The text that a wallet signs: canonical JSON (RFC 8785), in which no field can pass for another. */
export function reviewText(
  url: string,
  { address, rating, comment = null }: Pick<Body['input'], 'address' | 'rating' | 'comment'>,
): (timestamp: number) => string {
  return timestamp => canonicalJson({ type: 'APP_REVIEW', url, address, rating, comment, timestamp });
}
