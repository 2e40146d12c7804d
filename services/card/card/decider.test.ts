import { isRefusal } from '../../../contracts/decider';
import { CARD_ORDERING } from '../../../test/card/ordering';
import { cardStatus, type CardState } from '../../../projections/card/card-state';
import { cardKind, MAX_CARDS, MAX_OPEN_CARDS, type CardCommand, type CardOrdering } from './decider';

const { initial, evolve, decide } = cardKind.decider;

const at = (second: number) => `2026-11-23T12:00:${String(second).padStart(2, '0')}.000Z`;
const metadata = { now: at(0), actor: 'holder' };
const CARD: CardOrdering = { ...CARD_ORDERING, fee: '5' };
const plastic = {
  countryCode: 'DE',
  details: { subject: 'user-1', ciphertext: 'v2.key.text' },
};

const order = (card: Partial<CardOrdering> = {}, open = 0, all = open): CardCommand => ({
  type: 'order',
  card: { ...CARD, ...card },
  all,
  open,
  metadata,
});
const pay: CardCommand = { type: 'pay', metadata };
const issued: CardCommand = { type: 'recordIssued', issuerCardId: 'i-1', lastFourDigits: '4242', metadata };
type Change = Extract<CardCommand, { occurredAt: string }>['type'];
const change = (type: Change, by: 'holder' | 'operator' | 'issuer' = 'holder', second = 1) =>
  ({ type, by, reason: 'why', occurredAt: at(second), metadata }) as CardCommand;
const delivered = (status: 'PERSONALIZED' | 'DISPATCHED' | 'DELIVERED'): CardCommand => ({
  type: 'moveDelivery',
  status,
  trackNumber: null,
  metadata,
});

function after(...commands: readonly CardCommand[]) {
  const refusals: string[] = [];
  const state = commands.reduce<CardState | null>((card, command) => {
    const decision = decide(card, command);
    if (!isRefusal(decision)) return decision.reduce(evolve, card);
    refusals.push(decision.code);
    return card;
  }, initial());
  return { state: state!, status: cardStatus(state!), refusals };
}
const ACTIVE = [order(), pay, issued];

it('is ordered, paid for and issued, each once', () => {
  expect(after(order()).status).toBe('WAITING_FOR_PAYMENT');
  expect(after(order(), issued).status).toBe('WAITING_FOR_PAYMENT');
  expect(after(order(), pay, pay).status).toBe('PENDING_CARD_ISSUE');
  const { state, status } = after(...ACTIVE, { ...issued, lastFourDigits: '0000' } as CardCommand, order());
  expect([status, state.lastFourDigits]).toEqual(['ACTIVE', '4242']);
});

it('is not ordered where too many are open, or were ever ordered', () => {
  expect(after(order(), order()).refusals).toEqual([]);
  expect(decide(null, order({}, MAX_OPEN_CARDS))).toMatchObject({ code: 'too_many_cards' });
  expect(decide(null, order({}, 0, MAX_CARDS))).toMatchObject({ code: 'too_many_cards' });
});

it('of plastic is active once it is made, and is delivered onwards only', () => {
  const made = [order({ delivery: plastic }), pay, issued];
  expect(after(order({ delivery: plastic })).state.delivery!.status).toBeNull();
  expect([after(...made).status, after(...made).state.delivery!.status]).toEqual(['PENDING_CARD', 'ORDERED']);
  const sent = after(...made, delivered('DISPATCHED'), delivered('PERSONALIZED'));
  expect([sent.status, sent.state.delivery!.status]).toEqual(['ACTIVE', 'DISPATCHED']);
  expect(after(...made, delivered('DELIVERED')).state.delivery!.status).toBe('DELIVERED');
});

it('is frozen when it is asked for, and again usable only once the issuer says so', () => {
  const asked = [...ACTIVE, change('freeze')];
  expect(after(...asked).status).toBe('PENDING_FREEZE');
  const frozen = [...asked, change('recordFrozen', 'issuer', 0)];
  expect(after(...frozen).status).toBe('FROZEN');
  expect(after(...frozen, change('unfreeze', 'holder', 2)).status).toBe('PENDING_UNFREEZE');
  const again = [...frozen, change('unfreeze', 'holder', 2), change('recordUnfrozen', 'issuer', 3)];
  expect(after(...again).status).toBe('ACTIVE');
});

it('is not frozen by a message that is older than what it contradicts', () => {
  const again = [
    ...[...ACTIVE, change('freeze', 'holder', 1), change('unfreeze', 'holder', 4)],
    change('recordUnfrozen', 'issuer', 5),
  ];
  expect(after(...again, change('recordFrozen', 'issuer', 3)).status).toBe('ACTIVE');
  expect(after(...again, change('recordFrozen', 'issuer', 6)).status).toBe('FROZEN');
});

it('that others have frozen is not used again by its holder', () => {
  for (const by of ['operator', 'issuer'] as const) {
    const frozen = [...ACTIVE, change(by === 'issuer' ? 'recordFrozen' : 'freeze', by)];
    expect(after(...frozen, change('unfreeze')).refusals).toEqual(['card_state']);
    expect(after(...frozen, change('unfreeze', 'operator')).status).toBe('PENDING_UNFREEZE');
  }
  const both = [...ACTIVE, change('freeze'), change('freeze', 'operator'), change('unfreeze')];
  expect(after(...both).refusals).toEqual(['card_state']);
  const own = [...ACTIVE, change('freeze'), change('recordFrozen', 'issuer'), change('unfreeze')];
  expect(after(...own).refusals).toEqual([]);
});

describe('what the issuer refuses', () => {
  const refused = (asked: 'freeze' | 'unfreeze' | 'block', second: number): CardCommand => ({
    type: 'recordRefused',
    asked,
    askedAt: at(second),
    reason: 'other',
    metadata,
  });
  const frozen = [...ACTIVE, change('freeze', 'holder', 1), change('recordFrozen', 'issuer', 2)];

  it('is as it was before', () => {
    expect(after(...ACTIVE, change('freeze'), refused('freeze', 1)).status).toBe('ACTIVE');
    expect(after(...ACTIVE, change('block'), refused('block', 1)).status).toBe('ACTIVE');
    const again = [...frozen, change('unfreeze', 'holder', 3), refused('unfreeze', 3)];
    expect(after(...again).status).toBe('FROZEN');
    // By its holder, who may ask for it again.
    expect(after(...again, change('unfreeze', 'holder', 4))).toMatchObject({ refusals: [] });
  });

  it('changes nothing once something else was asked for, or has happened', () => {
    const later = [...ACTIVE, change('freeze', 'holder', 1), change('unfreeze', 'holder', 2)];
    expect(after(...later, refused('freeze', 1)).status).toBe('PENDING_UNFREEZE');
    const twice = [...later, change('freeze', 'holder', 3), refused('freeze', 1)];
    expect(after(...twice).status).toBe('PENDING_FREEZE');
    expect(after(...frozen, refused('freeze', 1)).status).toBe('FROZEN');
    expect(after(...ACTIVE, change('close'), refused('block', 1)).status).toBe('CLOSED');
  });

  it('is as the issuer has said meanwhile, of what was asked for before', () => {
    const block = [...ACTIVE, change('freeze', 'holder', 1), change('block', 'holder', 2)];
    for (const second of [1, 3]) {
      const said = [...block, change('recordFrozen', 'issuer', second)];
      expect(after(...said).status).toBe('PENDING_BLOCK');
      expect(after(...said, refused('block', 2)).status).toBe('FROZEN');
    }
    const refreeze = [...frozen, change('unfreeze', 'holder', 3), change('freeze', 'holder', 5)];
    expect(after(...refreeze, refused('freeze', 5)).status).toBe('FROZEN');
    const unfrozen = [...refreeze, change('recordUnfrozen', 'issuer', 4)];
    expect(after(...unfrozen).status).toBe('PENDING_FREEZE');
    expect(after(...unfrozen, refused('freeze', 5)).status).toBe('ACTIVE');
  });

  it('leaves a card to its holder, whose freeze was confirmed late', () => {
    const late = [...ACTIVE, change('freeze', 'holder', 1), change('unfreeze', 'holder', 3)];
    const still = [...late, change('recordFrozen', 'issuer', 2), refused('unfreeze', 3)];
    expect(after(...still).status).toBe('FROZEN');
    expect(after(...still, change('unfreeze', 'holder', 4)).refusals).toEqual([]);
  });

  it('leaves a card to who has frozen it again', () => {
    const taken = [...frozen, change('freeze', 'operator', 3), refused('freeze', 3)];
    expect(after(...taken).status).toBe('FROZEN');
    expect(after(...taken, change('unfreeze', 'holder', 4)).refusals).toEqual(['card_state']);
  });
});

it('that is blocked or closed stays so', () => {
  const blocked = [...ACTIVE, change('block'), change('recordBlocked', 'issuer', 2)];
  expect(after(...ACTIVE, change('block')).status).toBe('PENDING_BLOCK');
  for (const later of ['freeze', 'unfreeze'] as const)
    expect(after(...blocked, change(later, 'operator', 9))).toMatchObject({
      status: 'BLOCKED',
      refusals: ['card_state'],
    });
  for (const later of ['recordFrozen', 'recordUnfrozen'] as const)
    expect(after(...blocked, change(later, 'issuer', 9)).status).toBe('BLOCKED');
  const closed = [...blocked, change('close')];
  for (const later of ['recordBlocked', 'recordUnfrozen', 'recordClosed'] as const)
    expect(after(...closed, change(later, 'issuer', 9)).status).toBe('CLOSED');
});

it('waits for what the issuer wants checked', () => {
  const asked = (of: 'client' | 'card'): CardCommand => ({
    type: 'askVerification',
    of,
    occurredAt: at(1),
    metadata,
  });
  const verified: CardCommand = { type: 'recordVerified', occurredAt: at(2), metadata };
  expect(after(...ACTIVE, asked('client')).status).toBe('CLIENT_VERIFICATION');
  expect(after(...ACTIVE, asked('card')).status).toBe('CARD_VERIFICATION');
  expect(after(...ACTIVE, asked('card'), verified).status).toBe('ACTIVE');
});

it('that the issuer was not asked for is not replaced', () => {
  expect(after(order(), { type: 'replace', replacedBy: 'card-2', metadata })).toMatchObject({
    status: 'WAITING_FOR_PAYMENT',
    refusals: ['card_state'],
  });
});

it('that the issuer does not make is closed, as one that is replaced', () => {
  const failed: CardCommand = { type: 'recordIssuingFailed', reason: 'country', metadata };
  expect(after(order(), pay, failed, issued).status).toBe('CLOSED');
  expect(after(...ACTIVE, { type: 'replace', replacedBy: 'card-2', metadata })).toMatchObject({
    status: 'CLOSED',
    state: { replacedBy: 'card-2' },
  });
});
