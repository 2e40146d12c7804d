import fc from 'fast-check';
import { appId, type AppReviewEvent } from '../../contracts/events/app-review';
import { appReviewKind, type AppReviewCommand } from '../../services/apps/review/decider';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { runs } from '../../test/random';
import { appReviewsProjection } from './reviews';

const url = 'https://app.example.com';
const APP = appId(url);
const at = (day: number): string => `2026-03-0${day}T12:00:00.000Z`;
const [ANN, BOB] = [`0:${'a1'.repeat(32)}`, `0:${'b0'.repeat(32)}`];

const event = (address: string, { type, data }: { type: string; data: object }) =>
  [
    `appReview-${APP}/ton:mainnet:${address}`,
    { type, data: { url, network: 'mainnet', address, ...data }, metadata: { v: 1 } },
  ] as const;
const submitted = (address: string, day: number, data: object) =>
  event(address, {
    type: 'AppReviewSubmitted',
    data: { isVerified: false, isHidden: false, replaces: null, comment: null, at: at(day), ...data },
  });
const moderated = (address: string, type: 'Hidden' | 'Shown', data: object) =>
  event(address, { type: `AppReview${type}`, data: { at: at(9), by: 'ann', ...data } });

const review = (address: string, more: object) => ({
  _id: `${APP}/ton:mainnet:${address}`,
  app: APP,
  url,
  network: 'mainnet',
  address,
  isVerified: false,
  isHidden: false,
  comment: null,
  ...more,
});

it('has the last review of each wallet, and the sums of those that are shown', () =>
  given(
    appReviewsProjection,
    history(
      submitted(ANN, 1, { rating: 1 }),
      submitted(BOB, 2, { rating: 2 }),
      submitted(ANN, 3, { rating: 5, isVerified: true, replaces: { rating: 1, isVerified: false } }),
      moderated(BOB, 'Hidden', { rating: 2, isVerified: false }),
    ),
  ).then({
    app_reviews: [
      review(ANN, { rating: 5, isVerified: true, createdAt: at(1), updatedAt: at(3) }),
      review(BOB, { rating: 2, isHidden: true, createdAt: at(2), updatedAt: at(2) }),
    ],
    app_ratings: [{ _id: APP, url, verified: { sum: 5, count: 1 }, unverified: { sum: 0, count: 0 } }],
  }));

it('counts a review again that is shown again', () =>
  given(
    appReviewsProjection,
    history(
      submitted(ANN, 1, { rating: 3 }),
      moderated(ANN, 'Hidden', { rating: 3, isVerified: false }),
      submitted(ANN, 2, { rating: 4, isHidden: true }),
      moderated(ANN, 'Shown', { rating: 4, isVerified: false }),
    ),
  ).then({
    app_reviews: [review(ANN, { rating: 4, createdAt: at(1), updatedAt: at(2) })],
    app_ratings: [{ _id: APP, url, verified: { sum: 0, count: 0 }, unverified: { sum: 4, count: 1 } }],
  }));

it('adds up to the reviews that are shown, whatever happens to them', () => {
  const wallets = [ANN, BOB, `0:${'c3'.repeat(32)}`];
  const step = fc.record({
    wallet: fc.constantFrom(...wallets),
    type: fc.constantFrom('submit' as const, 'submit' as const, 'hide' as const, 'show' as const),
    rating: fc.integer({ min: 1, max: 5 }),
    isVerified: fc.boolean(),
  });
  const { initial, evolve, decide } = appReviewKind.decider;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const states = new Map(wallets.map(wallet => [wallet, initial()]));
      let ratings: unknown = null;
      for (const { wallet, type, rating, isVerified } of steps) {
        const metadata = { now: at(1), actor: 'ann' };
        const command: AppReviewCommand =
          type === 'submit'
            ? { type, url, network: 'mainnet', address: wallet, rating, isVerified, comment: null, metadata }
            : { type, metadata };
        const state = states.get(wallet)!;
        const decided = decide(state, command);
        if ('refused' in decided) continue;
        for (const each of decided as readonly AppReviewEvent[]) {
          const [[, { type, data, metadata }]] = [event(wallet, each)];
          const recorded = { type, data, metadata } as never;
          ratings = appReviewsProjection.fold(ratings as never, recorded, {
            collection: 'app_ratings',
            id: APP,
          });
        }
        states.set(wallet, decided.reduce(evolve, state));
      }
      const shown = [...states.values()].filter(state => state && !state.isHidden).map(state => state!);
      const sums = (isVerified: boolean) => {
        const counted = shown.filter(each => each.isVerified === isVerified);
        return { sum: counted.reduce((sum, { rating }) => sum + rating, 0), count: counted.length };
      };
      if (ratings) expect(ratings).toEqual({ _id: APP, url, verified: sums(true), unverified: sums(false) });
      else expect(shown).toEqual([]);
    }),
    runs(100),
  );
});
