import type { CardTokenEvent } from '../../../contracts/events/card-token';
import { cardTokenKind } from './decider';

const { initial, evolve, decide } = cardTokenKind.decider;

const metadata = { now: '2026-11-28T12:00:00.000Z', actor: 'holder' };
const holder = { digest: 'd'.repeat(64), userId: 'user', network: 'mainnet' } as const;
const about = { ...holder, at: metadata.now };
const issue = { type: 'issue', ...holder, epoch: 3, source: 'here', metadata } as const;
const issued: CardTokenEvent = {
  type: 'CardTokenIssued',
  data: { ...about, epoch: 3, source: 'here', expiresAt: '2027-02-26T12:00:00.000Z' },
};
const revoked: CardTokenEvent = { type: 'CardTokenRevoked', data: about };
const removed: CardTokenEvent = { type: 'CardTokenRemoved', data: about };
const given = (events: readonly CardTokenEvent[]) => events.reduce(evolve, initial());

describe('a token', () => {
  it('is issued once, for 90 days', () => {
    expect(decide(given([]), issue)).toEqual([issued]);
    expect(decide(given([issued]), issue)).toMatchObject({ code: 'version_conflict' });
  });
  it.each([
    ['that was issued is revoked', [issued], [revoked]],
    ['that was revoked is not revoked again', [issued, revoked], []],
    ['that nobody has issued is not revoked', [], []],
    ['that was removed is not revoked', [issued, removed], []],
  ] as const)('%s', (_what, events, expected) => {
    expect(decide(given(events), { type: 'revoke', metadata })).toEqual(expected);
  });
  it('that was removed is unknown, also where it was revoked', () => {
    expect(decide(given([issued, revoked]), { type: 'remove', metadata })).toEqual([removed]);
    expect(given([issued, revoked, removed])).toBeNull();
  });
});
