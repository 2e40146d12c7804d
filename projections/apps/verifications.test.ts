import { appId } from '../../contracts/events/app-review';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { appVerificationsProjection } from './verifications';

const [ours, theirs] = ['https://app.example.com', 'https://other.example.com'];

const decided = (type: 'AppVerified' | 'AppUnverified', url: string) =>
  [
    `appVerification-${appId(url)}`,
    { type, data: { url, reason: null, at: '2026-03-01T12:00:00.000Z', by: 'ann' }, metadata: { v: 1 } },
  ] as const;

it('has the last decision about each application', () =>
  given(
    appVerificationsProjection,
    history(decided('AppVerified', ours), decided('AppVerified', theirs), decided('AppUnverified', ours)),
  ).then({
    app_verifications: [
      { _id: appId(ours), url: ours, isVerified: false },
      { _id: appId(theirs), url: theirs, isVerified: true },
    ].sort((a, b) => (a._id < b._id ? -1 : 1)),
  }));
