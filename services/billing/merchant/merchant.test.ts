import { isRefusal } from '../../../contracts/decider';
import { merchantEvents, type MerchantEvent } from '../../../contracts/events/merchant';
import { merchantSlugEvents } from '../../../contracts/events/merchant-slug';
import { merchantDecider, type NameMerchant } from './decider';
import { merchantSlugDecider } from './slug';

const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'ann' };
const name = (more: { name?: string; slug?: string }): NameMerchant => ({
  type: 'name',
  merchantId: 'm-1',
  ...more,
  metadata,
});
const named = (called: string, slug: string): MerchantEvent => ({
  type: 'MerchantNamed',
  data: { merchant_id: 'm-1', name: called, slug, at: metadata.now, by: 'ann' },
});
const given = (...events: MerchantEvent[]) => ({
  when: (command: NameMerchant) => {
    const state = events.reduce(merchantDecider.evolve, merchantDecider.initial());
    const decision = merchantDecider.decide(state, command);
    return {
      then: (...expected: MerchantEvent[]) => expect(decision).toEqual(expected),
      thenRefused: (code: string) => expect(decision).toMatchObject({ refused: true, code }),
    };
  },
});

describe('a merchant', () => {
  it('is named', () =>
    given()
      .when(name({ name: 'Noon', slug: 'noon' }))
      .then(named('Noon', 'noon')));
  it.each([{ name: 'Noon' }, { slug: 'noon' }])('is not named the first time by %j alone', half =>
    given().when(name(half)).thenRefused('merchant_not_found'),
  );
  it('keeps its slug under a new name', () =>
    given(named('Noon', 'noon'))
      .when(name({ name: 'Afternoon' }))
      .then(named('Afternoon', 'noon')));
  it('keeps its name under a new slug', () =>
    given(named('Noon', 'noon'))
      .when(name({ slug: 'midday' }))
      .then(named('Noon', 'midday')));
  it('gets its current name without an event', () =>
    given(named('Noon', 'noon'))
      .when(name({ name: 'Noon', slug: 'noon' }))
      .then());
  it('can return to an earlier name', () =>
    given(named('Noon', 'noon'), named('Afternoon', 'noon'))
      .when(name({ name: 'Noon' }))
      .then(named('Noon', 'noon')));
});

/** Frozen samples of stored events: never edited, only added to. */
describe('stored events', () => {
  it('are read', () => {
    const metadata = { v: 1 };
    const taken = { type: 'MerchantSlugTaken', data: { slug: 'noon', merchant_id: 'm-1' }, metadata };
    expect(merchantSlugDecider.evolve(null, merchantSlugEvents.read(taken))).toBe('m-1');
    const data = {
      merchant_id: 'm-1',
      name: 'Noon',
      slug: 'noon',
      at: '2026-11-20T12:00:00.000Z',
      by: 'ann',
    };
    const stored = { type: 'MerchantNamed', data, metadata };
    expect(merchantDecider.evolve(null, merchantEvents.read(stored))).toEqual(data);
  });
});

describe('a slug', () => {
  const take = (merchantId: string) => ({ type: 'take', slug: 'noon', merchantId, metadata }) as const;
  const taken = { type: 'MerchantSlugTaken', data: { slug: 'noon', merchant_id: 'm-1' } } as const;
  const owner = merchantSlugDecider.evolve(merchantSlugDecider.initial(), taken);

  it('is free at first', () =>
    expect(merchantSlugDecider.decide(merchantSlugDecider.initial(), take('m-1'))).toEqual([taken]));
  it('belongs to the merchant that took it', () =>
    expect(merchantSlugDecider.decide(owner, take('m-1'))).toEqual([]));
  it('belongs to no other merchant', () => {
    const decision = merchantSlugDecider.decide(owner, take('m-2'));
    expect(isRefusal(decision) && [decision.code, decision.extra]).toEqual([
      'merchant_slug_taken',
      { merchantId: 'm-1' },
    ]);
  });
});
