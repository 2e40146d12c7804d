import type { WithoutMetadata } from '../../../contracts/decider';
import { cardUserId, type CardUserEvent } from '../../../contracts/events/card-user';
import { cardUserState, type CardUser } from '../../../projections/card/fold-user';
import { cardUserKind, type CardUserCommand } from './decider';

const { initial, evolve, decide } = cardUserKind.decider;

const publicKey = 'ab'.repeat(32);
const userId = cardUserId('mainnet', publicKey);
const at = '2026-11-28T12:00:00.000Z';
const about = { userId, network: 'mainnet', at } as const;
const text = (ciphertext: string) => ({ subject: userId, ciphertext });
const V4 = { chain: 'ton', address: `0:${'4'.repeat(64)}`, version: 'v4r2' } as const;
const V5 = { chain: 'ton', address: `0:${'5'.repeat(64)}`, version: 'v5r1' } as const;

const enrolled = (invited = true): CardUserEvent => ({
  type: 'CardUserEnrolled',
  data: { ...about, publicKey, invited, source: 'first' },
});
const connected = (wallet: typeof V4 | typeof V5): CardUserEvent => ({
  type: 'CardUserWalletConnected',
  data: { ...about, ...wallet },
});
const requested = (codeId: number, kind: 'phone' | 'email' = 'phone', when = at): CardUserEvent => ({
  type: 'CardUserCodeRequested',
  data: {
    ...about,
    at: when,
    kind,
    codeId,
    contact: text(`contact ${codeId}`),
    expiresAt: new Date(Date.parse(when) + 600_000).toISOString(),
  },
});
const failed = (codeId: number): CardUserEvent => ({
  type: 'CardUserCodeFailed',
  data: { ...about, kind: 'phone', codeId },
});
const confirmed = (kind: 'phone' | 'email', codeId = 1): CardUserEvent => ({
  type: 'CardUserContactConfirmed',
  data: { ...about, kind, codeId, contact: text(`contact ${codeId}`) },
});
const kycStarted: CardUserEvent = { type: 'CardUserKycStarted', data: about };
const kycDecided = (result: 'GREEN' | 'RED', decidedAt: string): CardUserEvent => ({
  type: 'CardUserKycDecided',
  data: { ...about, result, decidedAt, profile: null },
});
const suspended: CardUserEvent = {
  type: 'CardUserSuspended',
  data: { ...about, by: 'cli:anna', reason: text('why') },
};
const withContacts = [enrolled(), confirmed('phone'), confirmed('email', 2)];

const given = (events: readonly CardUserEvent[]): CardUser | null => events.reduce(evolve, initial());
const when = (
  events: readonly CardUserEvent[],
  command: WithoutMetadata<CardUserCommand>,
  { now = at, actor = 'cli:anna' } = {},
) => decide(given(events), { ...command, metadata: { now, actor } } as CardUserCommand);

const enrol = (wallets: readonly (typeof V4 | typeof V5)[], options = {}) => ({
  type: 'enrol' as const,
  userId,
  network: 'mainnet' as const,
  publicKey,
  wallets,
  isInvited: true,
  source: 'first',
  hasPlace: true,
  ...options,
});

describe('a wallet that enrols', () => {
  it('makes a user of its key', () => {
    expect(when([], enrol([V4]))).toEqual([enrolled(), connected(V4)]);
  });
  it('again is the same user, which records nothing', () => {
    expect(when([enrolled(), connected(V4)], enrol([V4]))).toEqual([]);
  });
  it('of another version and the same key is connected to the same user', () => {
    expect(when([enrolled(), connected(V4)], enrol([V5]))).toEqual([connected(V5)]);
  });
  it('makes no further user without a place, and enrols again without one', () => {
    expect(when([], enrol([V4], { hasPlace: false }))).toMatchObject({ code: 'too_many_card_users' });
    expect(when([enrolled(), connected(V4)], enrol([V4], { hasPlace: false }))).toEqual([]);
  });
  it('is invited once, by whichever enrolment names an invitation', () => {
    const events = [enrolled(false), connected(V4)];
    expect(cardUserState(given(events)!)).toBe('no-ref');
    const invited = when(events, enrol([V4])) as CardUserEvent[];
    expect(invited).toEqual([{ type: 'CardUserInvited', data: about }]);
    expect(cardUserState(given([...events, ...invited])!)).toBe('need-phone');
    expect(when([...events, ...invited], enrol([V4], { isInvited: false }))).toEqual([]);
  });
});

it('the ids of users are of one key and one network each', () => {
  expect(cardUserId('mainnet', publicKey.toUpperCase())).toBe(userId);
  expect(cardUserId('testnet', publicKey)).not.toBe(userId);
  expect(cardUserId('mainnet', 'ac'.repeat(32))).not.toBe(userId);
});

it('who is not known takes no step', () => {
  expect(when([], { type: 'start_kyc' })).toMatchObject({ code: 'card_user_not_found' });
});

describe('a code', () => {
  const request = { type: 'request_code', kind: 'phone', contact: text('contact 1') } as const;
  const confirm = (codeId: number, isRight = true) =>
    ({ type: 'confirm_code', kind: 'phone', codeId, isRight }) as const;

  it('is asked for, and is valid for ten minutes', () => {
    expect(when([enrolled()], request)).toEqual([requested(1)]);
    const events = [enrolled(), requested(1)];
    expect(when(events, confirm(1), { now: '2026-11-28T12:09:59.999Z' })).toHaveLength(1);
    expect(when(events, confirm(1), { now: '2026-11-28T12:10:00.000Z' })).toMatchObject({
      code: 'card_code_expired',
    });
  });
  it('confirms what it was asked for, once', () => {
    expect(when([enrolled(), requested(1)], confirm(1))).toEqual([confirmed('phone')]);
    expect(when([enrolled(), requested(1), confirmed('phone')], confirm(1))).toEqual([]);
  });
  it('of a phone number does not confirm an e-mail address', () => {
    const events = [enrolled(), requested(1, 'email')];
    expect(when(events, confirm(1))).toMatchObject({ code: 'card_code_expired' });
  });
  it('is replaced by the next one', () => {
    const events = [enrolled(), requested(1), requested(2)];
    expect(when(events, confirm(1))).toMatchObject({ code: 'card_code_expired' });
    expect(when(events, confirm(2))).toEqual([confirmed('phone', 2)]);
  });
  it('that was guessed wrong five times is dead, whatever the next guess is', () => {
    const fourWrong = [enrolled(), requested(1), failed(1), failed(1), failed(1), failed(1)];
    expect(when(fourWrong, confirm(1, false))).toEqual([failed(1)]);
    expect(when(fourWrong, confirm(1))).toEqual([confirmed('phone')]);
    const dead = [...fourWrong, failed(1)];
    expect(when(dead, confirm(1))).toMatchObject({ code: 'card_code_expired' });
    expect(when(dead, confirm(1, false))).toMatchObject({ code: 'card_code_expired' });
  });
  it('can be asked for ten times within a day', () => {
    const ten = [enrolled(), ...Array.from({ length: 10 }, (_, n) => requested(n + 1))];
    expect(when(ten, request)).toMatchObject({ code: 'too_many_card_codes' });
    expect(when(ten, request, { now: '2026-11-29T11:59:59.999Z' })).toMatchObject({
      code: 'too_many_card_codes',
    });
    expect(when(ten, request, { now: '2026-11-29T12:00:00.000Z' })).toHaveLength(1);
  });
  it('is not asked for where it is confirmed, nor by who is suspended or not invited', () => {
    expect(when([enrolled(), confirmed('phone')], request)).toMatchObject({ code: 'card_step_done' });
    expect(when([enrolled(), suspended], request)).toMatchObject({ code: 'card_user_suspended' });
    expect(when([enrolled(false)], request)).toMatchObject({ code: 'card_step_missing' });
  });
});

describe('an identification', () => {
  const early = '2026-11-28T11:00:00.000Z';
  const late = '2026-11-28T11:30:00.000Z';
  const decided = (result: 'GREEN' | 'RED', decidedAt: string) =>
    ({ type: 'decide_kyc', result, decidedAt, profile: null }) as const;
  const stateAfter = (...decisions: CardUserEvent[]) =>
    cardUserState(given([...withContacts, kycStarted, ...decisions])!);

  it('is started after both contacts are confirmed, and runs once', () => {
    expect(when([enrolled(), confirmed('phone')], { type: 'start_kyc' })).toMatchObject({
      code: 'card_step_missing',
    });
    expect(when(withContacts, { type: 'start_kyc' })).toEqual([kycStarted]);
    expect(when([...withContacts, kycStarted], { type: 'start_kyc' })).toEqual([]);
  });
  it('that has failed can be started again, one that has not cannot', () => {
    const failedOnce = [...withContacts, kycStarted, kycDecided('RED', early)];
    expect(when(failedOnce, { type: 'start_kyc' })).toEqual([kycStarted]);
    const passed = [...withContacts, kycStarted, kycDecided('GREEN', early)];
    expect(when(passed, { type: 'start_kyc' })).toEqual([]);
  });
  it('that is passed opens everything, and a later refusal closes it', () => {
    expect(stateAfter(kycDecided('GREEN', early))).toBe('ok');
    expect(stateAfter(kycDecided('GREEN', early), kycDecided('RED', late))).toBe('need-kyc');
  });
  it.each([
    ['the same again', 'GREEN', late],
    ['an earlier one', 'RED', early],
  ] as const)('is not changed by %s', (_what, result, decidedAt) => {
    const events = [...withContacts, kycDecided('GREEN', late)];
    expect(when(events, decided(result, decidedAt))).toEqual([]);
  });
  it('ends the same in any order of the decisions', () => {
    const decisions = [decided('GREEN', early), decided('RED', late), decided('GREEN', late)];
    const orders = decisions.flatMap((a, i) =>
      decisions.flatMap((b, j) =>
        decisions.flatMap((c, k) => (new Set([i, j, k]).size === 3 ? [[a, b, c]] : [])),
      ),
    );
    expect(orders).toHaveLength(6);
    for (const order of orders) {
      let events: readonly CardUserEvent[] = withContacts;
      for (const decision of order) events = [...events, ...(when(events, decision) as CardUserEvent[])];
      expect(given(events)!.kyc).toMatchObject({ result: 'RED', decidedAt: late });
    }
  });
  it('may be decided before it was started: messages overtake each other', () => {
    expect(when(withContacts, decided('GREEN', early))).toEqual([kycDecided('GREEN', early)]);
  });
});

describe('an operator', () => {
  it('suspends once and resumes once', () => {
    const suspend = { type: 'suspend', reason: text('why') } as const;
    expect(when([enrolled()], suspend)).toEqual([suspended]);
    expect(when([enrolled(), suspended], suspend)).toEqual([]);
    expect(when([enrolled()], { type: 'resume' })).toEqual([]);
    const resumed: CardUserEvent = { type: 'CardUserResumed', data: { ...about, by: 'cli:anna' } };
    expect(when([enrolled(), suspended], { type: 'resume' })).toEqual([resumed]);
    expect(given([enrolled(), suspended, resumed])).toMatchObject({ suspended: false });
  });
  it('revokes all tokens, each time those since the last time', () => {
    const first = when([enrolled()], { type: 'revoke_tokens' }) as CardUserEvent[];
    expect(given([enrolled(), ...first])).toMatchObject({ epoch: 1 });
    expect(when([enrolled(), ...first], { type: 'revoke_tokens' })).toMatchObject([{ data: { epoch: 2 } }]);
  });
});
