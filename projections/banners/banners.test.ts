import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { bannersProjection } from './banners';

const at = '2026-03-01T12:00:00.000Z';
const event = (type: 'Published' | 'Retired', place: string, id: string, content?: object) =>
  [
    `banner-${place}:${id}`,
    { type: `Banner${type}`, data: { place, id, content, at, by: 'ann' }, metadata: { v: 1 } },
  ] as const;

it('has what was published last, and not what was retired', () =>
  given(
    bannersProjection,
    history(
      event('Published', 'browser', '7', { title: 'old' }),
      event('Published', 'card', '7', { title: 'card' }),
      event('Published', 'browser', '8', { title: 'retired' }),
      event('Published', 'browser', '7', { title: 'new' }),
      event('Retired', 'browser', '8'),
    ),
  ).then({
    banners: [
      { _id: 'browser:7', place: 'browser', content: { title: 'new' } },
      { _id: 'card:7', place: 'card', content: { title: 'card' } },
    ],
  }));
