import { refuse, type CommandMetadata } from '../../../contracts/decider';
import {
  appReviewEvents,
  type AppReviewEvent,
  type ReviewWeight,
} from '../../../contracts/events/app-review';
import type { StreamKind } from '../../commands/stream-kind';
import { MAX_CALLERS, sentBy } from '../callers';

type Submitted = Extract<AppReviewEvent, { type: 'AppReviewSubmitted' }>['data'];

export type AppReviewCommand = { readonly metadata: CommandMetadata } & (
  | ({ readonly type: 'submit' } & Omit<Submitted, 'at' | 'isHidden' | 'replaces' | 'isCounted'>)
  | { readonly type: 'hide' | 'show' | 'remove' }
);

/** The review of a reviewer, and what other callers have sent in its name, after it; whether it is shown. */
interface Review {
  readonly sent: readonly [Submitted, ...Submitted[]];
  readonly isHidden: boolean;
}

/**
 * A wallet has one review of an application. Addresses are public, so that anybody can send a review in the name of one that has
 * not signed: the first caller replaces its own, those of others are recorded beside. What a wallet has signed replaces all, and only
 * it can replace that. What is not recorded is refused. What is hidden stays so when it is written again, and is not removed. A review that says nothing new is none.
 */
export const appReviewKind: StreamKind<Review | null, AppReviewCommand, AppReviewEvent> = {
  events: appReviewEvents,
  decider: {
    initial: () => null,
    evolve(state, { type, data }) {
      if (type === 'AppReviewSubmitted') {
        const [, ...others] = state?.sent ?? [];
        if (state && !data.isCounted) return { ...state, sent: [...state.sent, data] };
        return { sent: [data, ...(data.isVerified ? [] : others)], isHidden: data.isHidden };
      }
      if (type === 'AppReviewRemoved') return null;
      return state && { ...state, isHidden: type === 'AppReviewHidden' };
    },
    decide(state, command) {
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'submit') {
        const { type: _, metadata: __, ...review } = command;
        const [current] = state?.sent ?? [];
        if (current?.isVerified && !review.isVerified)
          return refuse('signature_required', 'This review is signed, so only a signed one can replace it.');
        const isHidden = state?.isHidden ?? false;
        const own = sentBy(state?.sent ?? [], review.source);
        const isCounted = !current || review.isVerified || own === current;
        const before = review.isVerified ? current : own;
        if (before && saysSame(before, review)) return [];
        if (!isCounted && (own || state!.sent.length >= MAX_CALLERS))
          return refuse(
            'signature_required',
            'Others have reviewed for this wallet before: sign the review.',
          );
        const replaces = isCounted && current && !isHidden ? weightOf(current) : null;
        return [{ type: 'AppReviewSubmitted', data: { ...review, at, isHidden, replaces, isCounted } }];
      }
      if (command.type === 'remove')
        return state && !state.isHidden
          ? [{ type: 'AppReviewRemoved', data: { ...reviewOf(state.sent[0]), at } }]
          : [];
      if (!state) return refuse('app_review_not_found', 'The wallet has not reviewed the application.');
      if (state.isHidden === (command.type === 'hide')) return [];
      const data = { ...reviewOf(state.sent[0]), at, by };
      return [{ type: command.type === 'hide' ? 'AppReviewHidden' : 'AppReviewShown', data }];
    },
  },
};

/** The texts are equal where they were encrypted once. */
const saysSame = (one: Said, other: Said): boolean =>
  one.rating === other.rating &&
  one.isVerified === other.isVerified &&
  one.comment?.ciphertext === other.comment?.ciphertext;

type Said = Pick<Submitted, 'rating' | 'isVerified' | 'comment'>;

const reviewOf = ({ url, network, address, ...review }: Submitted) => ({
  url,
  network,
  address,
  ...weightOf(review),
});

const weightOf = ({ rating, isVerified }: ReviewWeight): ReviewWeight => ({ rating, isVerified });
