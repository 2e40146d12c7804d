import fc from 'fast-check';
import { appId, type AppReviewEvent } from '../../contracts/events/app-review';
import { appReviewKind, type AppReviewCommand } from '../../services/apps/review/decider';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { runs } from '../../test/random';
import type { Views } from '../views';
import { appReviewsProjection, findAppRatings } from './reviews';
import type { Document } from '../../contracts/ports/documents';

const url = 'https://app.example.com';
const APP = appId(url);
const at = (day: number): string => `2026-03-0${day}T12:00:00.000Z`;
const [ANN, BOB] = [`0:${'a1'.repeat(32)}`, `0:${'b0'.repeat(32)}`];

const event = (address: string, { type, data }: { type: string; data: object }) =>
  [
    `appReview-${APP}/ton:mainnet:${address}`,
    {
      type,
      data: { url, network: 'mainnet', address, ...data },
      metadata: { v: type === 'AppReviewSubmitted' ? 2 : 1 },
    },
  ] as const;
const submitted = (address: string, day: number, data: object) =>
  event(address, {
    type: 'AppReviewSubmitted',
    data: {
      isVerified: false,
      isHidden: false,
      replaces: null,
      comment: null,
      source: 's1',
      isCounted: true,
      at: at(day),
      ...data,
    },
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

it('has the last review of each wallet', () =>
  given(
    appReviewsProjection,
    history(
      submitted(ANN, 1, { rating: 1 }),
      submitted(BOB, 2, { rating: 2 }),
      submitted(BOB, 4, { rating: 1, isCounted: false }),
      submitted(ANN, 3, { rating: 5, isVerified: true, replaces: { rating: 1, isVerified: false } }),
      moderated(BOB, 'Hidden', { rating: 2, isVerified: false }),
    ),
  ).then({
    app_reviews: [
      review(ANN, { rating: 5, isVerified: true, createdAt: at(1), updatedAt: at(3) }),
      review(BOB, { rating: 2, isHidden: true, createdAt: at(2), updatedAt: at(2) }),
    ],
  }));

it('shows a review again that was hidden', () =>
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
  }));

it('has no review that was removed', () =>
  given(
    appReviewsProjection,
    history(
      submitted(ANN, 1, { rating: 1 }),
      submitted(BOB, 2, { rating: 2 }),
      event(ANN, { type: 'AppReviewRemoved', data: { rating: 1, isVerified: false, at: at(9) } }),
    ),
  ).then({ app_reviews: [review(BOB, { rating: 2, createdAt: at(2), updatedAt: at(2) })] }));

it('adds up to the reviews that are shown, whatever happens to them', async () => {
  const wallets = [ANN, BOB, `0:${'c3'.repeat(32)}`];
  const step = fc.record({
    wallet: fc.constantFrom(...wallets),
    type: fc.constantFrom(...(['submit', 'submit', 'hide', 'show', 'remove'] as const)),
    rating: fc.integer({ min: 1, max: 5 }),
    isVerified: fc.boolean(),
    source: fc.constantFrom('s1', 's2'),
  });
  const { initial, evolve, decide } = appReviewKind.decider;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const states = new Map(wallets.map(wallet => [wallet, initial()]));
      const documents = new Map<string, Document>();
      for (const { wallet, type, rating, isVerified, source } of steps) {
        const metadata = { now: at(1), actor: 'ann' };
        const command: AppReviewCommand =
          type === 'submit'
            ? {
                type,
                url,
                network: 'mainnet',
                address: wallet,
                rating,
                isVerified,
                source,
                comment: null,
                metadata,
              }
            : { type, metadata };
        const state = states.get(wallet)!;
        const decided = decide(state, command);
        if ('refused' in decided) continue;
        for (const each of decided as readonly AppReviewEvent[]) {
          const [[, { type, data, metadata }]] = [event(wallet, each)];
          const recorded = { type, data, metadata } as never;
          for (const { collection, id } of appReviewsProjection.touches(recorded)) {
            const folded = appReviewsProjection.fold(documents.get(id) ?? null, recorded, { collection, id });
            if (folded) documents.set(id, folded);
            else documents.delete(id);
          }
        }
        states.set(wallet, decided.reduce(evolve, state));
      }
      const shown = [...states.values()].flatMap(state => (state && !state.isHidden ? [state.sent[0]] : []));
      const sums = (isVerified: boolean) => {
        const counted = shown.filter(each => each.isVerified === isVerified);
        return { sum: counted.reduce((sum, { rating }) => sum + rating, 0), count: counted.length };
      };
      const count: Views['count'] = async (_collection, equals = {}) =>
        [...documents.values()].filter(document =>
          Object.entries(equals).every(([field, value]) => document[field] === value),
        ).length;
      expect(await findAppRatings({ count }, url)).toEqual({ verified: sums(true), unverified: sums(false) });
    }),
    runs(100),
  );
});
