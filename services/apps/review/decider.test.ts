import type { AppReviewEvent } from '../../../contracts/events/app-review';
import { appReviewKind, type AppReviewCommand } from './decider';

const of = { url: 'https://app.example.com', network: 'mainnet', address: `0:${'ab'.repeat(32)}` } as const;
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'ann' };
const [at, by] = [metadata.now, metadata.actor];

interface Written {
  readonly rating: number;
  readonly isVerified?: boolean;
  readonly isHidden?: boolean;
  readonly replaces?: { readonly rating: number; readonly isVerified: boolean } | null;
  readonly source?: string | null;
  readonly isCounted?: boolean;
}
const submitted = ({
  isVerified = false,
  isHidden = false,
  replaces = null,
  source = 's1',
  isCounted = true,
  rating,
}: Written): AppReviewEvent => ({
  type: 'AppReviewSubmitted',
  data: { ...of, rating, isVerified, comment: null, at, isHidden, replaces, source, isCounted },
});
const moderated = (type: 'Hidden' | 'Shown', rating: number): AppReviewEvent => ({
  type: `AppReview${type}`,
  data: { ...of, rating, isVerified: false, at, by },
});
const submit = (rating: number, isVerified = false, source = 's1'): AppReviewCommand => ({
  type: 'submit',
  ...of,
  rating,
  isVerified,
  comment: null,
  source,
  metadata,
});
const moderate = (type: 'hide' | 'show'): AppReviewCommand => ({ type, metadata });

const { initial, evolve, decide } = appReviewKind.decider;
const when = (events: readonly AppReviewEvent[], command: AppReviewCommand) =>
  decide(events.reduce(evolve, initial()), command);

const five = submitted({ rating: 5 });
const signed = submitted({ rating: 5, isVerified: true });
const [hidden, shown] = [moderated('Hidden', 5), moderated('Shown', 5)];
const instead = (rating: number, isVerified: boolean) => ({ replaces: { rating, isVerified } });

const beside = (source: string) => submitted({ rating: 1, source, isCounted: false });

const remove: AppReviewCommand = { type: 'remove', metadata };
const removed: AppReviewEvent = {
  type: 'AppReviewRemoved',
  data: { ...of, rating: 5, isVerified: false, at },
};

it.each([
  ['is removed', [five], remove, [removed]],
  ['that is hidden is not removed', [five, hidden], remove, []],
  ['is removed once', [five, removed], remove, []],
  ['replaces none that was removed', [five, removed], submit(5), [five]],
  ['counts', [], submit(5), [five]],
  ['counts instead of an earlier one', [five], submit(1), [submitted({ rating: 1, ...instead(5, false) })]],
  [
    'that is signed replaces one that is not',
    [five],
    submit(1, true),
    [submitted({ rating: 1, isVerified: true, ...instead(5, false) })],
  ],
  [
    'that is signed replaces one that is signed',
    [signed],
    submit(2, true),
    [submitted({ rating: 2, isVerified: true, ...instead(5, true) })],
  ],
  ['that says nothing new is none', [five], submit(5), []],
  ['that is signed again and says nothing new is none', [signed], submit(5, true, 's2'), []],
  [
    'of another caller stands beside the first, and does not count',
    [five],
    submit(1, false, 's2'),
    [submitted({ rating: 1, source: 's2', isCounted: false })],
  ],
  [
    'of which nobody knows the caller is nobody\u2019s',
    [submitted({ rating: 5, source: null })],
    submit(1),
    [submitted({ rating: 1, isCounted: false })],
  ],
  ['of another caller stands beside once', [five, beside('s2')], submit(1, false, 's2'), []],
  [
    'is replaced by its caller while others stand beside',
    [five, beside('s2')],
    submit(4),
    [submitted({ rating: 4, ...instead(5, false) })],
  ],
  [
    'that is signed replaces the first, no matter who has sent that',
    [five, beside('s2')],
    submit(1, true, 's2'),
    [submitted({ rating: 1, isVerified: true, source: 's2', ...instead(5, false) })],
  ],
  ['is hidden, whatever stands beside', [five, beside('s2')], moderate('hide'), [hidden]],
  ['is removed with what stands beside', [five, beside('s2')], remove, [removed]],
  ['is hidden', [five], moderate('hide'), [hidden]],
  ['is hidden once', [five, hidden], moderate('hide'), []],
  ['is shown again', [five, hidden], moderate('show'), [shown]],
  ['is shown already', [five], moderate('show'), []],
  ['that is hidden stays so', [five, hidden], submit(4), [submitted({ rating: 4, isHidden: true })]],
  [
    'that was hidden and written again counts once it is shown',
    [five, hidden, submitted({ rating: 4, isHidden: true })],
    moderate('show'),
    [moderated('Shown', 4)],
  ],
] as const)('a review %s', (_what, events, command, expected) => {
  expect(when(events, command)).toEqual(expected);
});

it.each([
  ['replaced without a signature once it is signed', [signed], submit(1), 'signature_required'],
  ['replaced that stands beside', [five, beside('s2')], submit(2, false, 's2'), 'signature_required'],
  [
    'recorded of a fifth caller',
    [five, ...['s2', 's3', 's4'].map(beside)],
    submit(1, false, 's5'),
    'signature_required',
  ],
  ['hidden that was not written', [], moderate('hide'), 'app_review_not_found'],
  ['shown that was not written', [], moderate('show'), 'app_review_not_found'],
] as const)('a review is not %s', (_what, events, command, code) => {
  expect(when(events, command)).toMatchObject({ refused: true, code });
});
