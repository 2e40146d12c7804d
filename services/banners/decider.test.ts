import type { BannerEvent } from '../../contracts/events/banner';
import { bannerKind, type BannerCommand } from './decider';

const of = { place: 'browser', id: '7' } as const;
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'cli:ann' };
const data = { ...of, at: metadata.now, by: metadata.actor };
const published = (title: string): BannerEvent => ({
  type: 'BannerPublished',
  data: { ...data, content: { title, id: 7 } },
});
const retired: BannerEvent = { type: 'BannerRetired', data };
const publish = (title: string): BannerCommand => ({
  type: 'publish',
  ...of,
  content: { id: 7, title },
  metadata,
});
const retire: BannerCommand = { type: 'retire', ...of, metadata };

const { initial, evolve, decide } = bannerKind.decider;
const when = (events: readonly BannerEvent[], command: BannerCommand) =>
  decide(events.reduce(evolve, initial()), command);

it.each([
  ['is published', [], publish('a'), [published('a')]],
  ['is published once', [published('a')], publish('a'), []],
  ['is replaced', [published('a')], publish('b'), [published('b')]],
  ['is retired', [published('a')], retire, [retired]],
  ['is published again', [published('a'), retired], publish('a'), [published('a')]],
] as const)('a banner %s', (_what, events, command, expected) => {
  expect(when(events, command)).toEqual(expected);
});

it.each([
  ['was never published', []],
  ['is retired already', [published('a'), retired]],
])('a banner that %s is not retired', (_what, events) => {
  expect(when(events, retire)).toMatchObject({ refused: true, code: 'banner_not_found' });
});
