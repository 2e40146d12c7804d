import type { z } from 'zod';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import { appReviewStream } from '../../../contracts/events/app-review';
import type { submitAppReview } from '../../../contracts/http/catalog/apps';
import { accountKey } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { expectSigned } from '../../signing/signed-text';
import { tonAccount, type TonAccount } from '../../../contracts/account/ton-account';
import type { Reader } from '../../watch-account';
import { sentBy } from '../callers';
import { encryptAsKnown } from '../comment';
import { load } from '../../commands/load';
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

/** @throws Problem of a wrong signature, or 403 `signature_required` where only a signed one is recorded */
export async function submitReview(deps: AppDeps, body: Body, reader: Reader): Promise<Submitted> {
  const { url, input } = body;
  const reviewer = tonAccount(input.address, input.network, '/body/input/network');
  const { signature, timestamp = 0, publicKey } = input;
  if (signature !== undefined)
    await expectSigned(deps, reviewText(url, input), reviewer, { signature, timestamp, publicKey }, reader);
  const [isVerified, now] = [signature !== undefined, deps.clock().toISOString()];
  const stream = appReviewStream(url, reviewer);
  const source = deps.sourceOf(reader.ip, stream);
  const find = async () => {
    const sent = (await load(deps.store, appReviewKind, stream))?.sent ?? [];
    return isVerified ? sent[0] : sentBy(sent, source);
  };
  const known = await find();
  const outcome = await deps.handle(appReviewKind, stream, {
    type: 'submit',
    url,
    network: reviewer.network,
    address: reviewer.address,
    rating: input.rating,
    isVerified,
    comment: await encryptAsKnown(deps.texts, reviewer, input.comment, known?.comment),
    source,
    metadata: { now, actor: accountKey(reviewer) },
  });
  // It may be the same one, sent twice at a time: then it is seen now.
  if (outcome.refusal && !known && (await find())) return submitReview(deps, body, reader);
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const { sent } = outcome.state!;
  const said = isVerified ? sent[0] : sentBy(sent, source)!;
  return { reviewer, isVerified, at: said.at, isCounted: said === sent[0], position: outcome.position };
}

/** The text that a wallet signs: canonical JSON (RFC 8785), in which no field can pass for another. */
export function reviewText(
  url: string,
  { address, rating, comment = null }: Pick<Body['input'], 'address' | 'rating' | 'comment'>,
): (timestamp: number) => string {
  return timestamp => canonicalJson({ type: 'APP_REVIEW', url, address, rating, comment, timestamp });
}
