import { refuse, type CommandMetadata } from '../../../contracts/decider';
import {
  appReviewEvents,
  type AppReviewEvent,
  type ReviewWeight,
} from '../../../contracts/events/app-review';
import type { StreamKind } from '../../handle';

type Submitted = Extract<AppReviewEvent, { type: 'AppReviewSubmitted' }>['data'];

export type AppReviewCommand = { readonly metadata: CommandMetadata } & (
  | ({ readonly type: 'submit' } & Omit<Submitted, 'at' | 'isHidden' | 'replaces'>)
  | { readonly type: 'hide' | 'show' | 'remove' }
);

/** The last review of a reviewer, and whether it is shown. */
type Review = Pick<Submitted, 'url' | 'network' | 'address' | 'rating' | 'isVerified' | 'isHidden'>;

/**
 * A wallet has one review of an application. Addresses are public, so that anybody can send a review in the name of one that has
 * not signed; what a wallet has signed only it can replace. What is hidden stays so when it is written again, and is not removed.
 */
export const appReviewKind: StreamKind<Review | null, AppReviewCommand, AppReviewEvent> = {
  events: appReviewEvents,
  decider: {
    initial: () => null,
    evolve(state, { type, data }) {
      if (type === 'AppReviewSubmitted') return data;
      if (type === 'AppReviewRemoved') return null;
      return state && { ...state, isHidden: type === 'AppReviewHidden' };
    },
    decide(state, command) {
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'submit') {
        const { type: _, metadata: __, ...review } = command;
        if (state?.isVerified && !review.isVerified)
          return refuse('signature_required', 'This review is signed, so only a signed one can replace it.');
        const isHidden = state?.isHidden ?? false;
        const replaces = state && !isHidden ? weightOf(state) : null;
        return [{ type: 'AppReviewSubmitted', data: { ...review, at, isHidden, replaces } }];
      }
      if (command.type === 'remove')
        return state && !state.isHidden
          ? [{ type: 'AppReviewRemoved', data: { ...reviewOf(state), at } }]
          : [];
      if (!state) return refuse('app_review_not_found', 'The wallet has not reviewed the application.');
      if (state.isHidden === (command.type === 'hide')) return [];
      const data = { ...reviewOf(state), at, by };
      return [{ type: command.type === 'hide' ? 'AppReviewHidden' : 'AppReviewShown', data }];
    },
  },
};

const reviewOf = ({ url, network, address, ...review }: Review) => ({
  url,
  network,
  address,
  ...weightOf(review),
});

const weightOf = ({ rating, isVerified }: ReviewWeight): ReviewWeight => ({ rating, isVerified });
