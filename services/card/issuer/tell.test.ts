import { IssuerRefused, IssuerUnavailable, type CardIssuer } from '../../../contracts/card-issuer/issuer';
import { cardStream } from '../../../contracts/events/card';
import { cardUserStream } from '../../../contracts/events/card-user';
import { cardStatus } from '../../../projections/card/card-state';
import { NOON } from '../../../test/card/account';
import { CARD_ORDERING } from '../../../test/card/ordering';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { cardKind, type CardCommand } from '../card/decider';
import { cardUserKind, type CardUserCommand } from '../user/decider';
import { tellIssuer } from './tell';

const userId = 'user-1';
const { signal } = new AbortController();
const contact = { subject: userId, ciphertext: 'v2.key.text' };

/** Somebody who waits to be identified. @param startKyc what the issuer answers */
async function setUp(startKyc: CardIssuer['startKyc']) {
  const store = new InMemoryEventStore();
  const handle = createHandle({ store });
  const decide = (command: object) =>
    handle(cardUserKind, cardUserStream(userId), {
      ...command,
      metadata: { now: NOON, actor: userId },
    } as CardUserCommand);
  const source = { isInvited: true, source: 'here', hasPlace: true };
  await decide({
    type: 'enrol',
    userId,
    network: 'testnet',
    publicKey: 'ab'.repeat(32),
    wallets: [],
    ...source,
  });
  for (const [index, kind] of (['phone', 'email'] as const).entries()) {
    await decide({ type: 'request_code', kind, contact });
    await decide({ type: 'confirm_code', kind, codeId: index + 1, isRight: true });
  }
  await decide({ type: 'start_kyc' });
  const issuer = { startKyc } as CardIssuer;
  const texts = { decrypt: async () => null };
  const deps = { store, handle, texts, issuer: async () => issuer, clock: () => new Date(NOON) };
  return {
    decide,
    tell: () => tellIssuer(deps, { kind: 'kyc', userId }, signal),
    kyc: async () => (await load(store, cardUserKind, cardUserStream(userId)))!.kyc,
  };
}

it('a card holder whom the issuer does not identify is not identified, and may ask again', async () => {
  const { decide, tell, kyc } = await setUp(() => Promise.reject(new IssuerRefused('other', 'no')));
  await tell();
  expect(await kyc()).toMatchObject({ startedAt: null, result: 'RED' });
  await decide({ type: 'start_kyc' });
  expect(await kyc()).toMatchObject({ startedAt: NOON });
});

describe('a change of a card', () => {
  /** A card that is to be frozen. */
  async function setUpCard(changeCard: CardIssuer['changeCard'], use: 'freeze' | 'close' = 'freeze') {
    const store = new InMemoryEventStore();
    const handle = createHandle({ store });
    const { cardId } = CARD_ORDERING;
    const metadata = { now: NOON, actor: userId };
    const by = { by: 'holder', reason: '', occurredAt: NOON } as const;
    const decide = (command: object) =>
      handle(cardKind, cardStream(cardId), { ...command, metadata } as CardCommand);
    await decide({ type: 'order', card: CARD_ORDERING, all: 0, open: 0 });
    await decide({ type: 'pay' });
    await decide({ type: 'recordIssued', issuerCardId: 'i-1', lastFourDigits: '4242' });
    await decide({ type: use, ...by });
    const issuer = { changeCard } as CardIssuer;
    const texts = { decrypt: async () => null };
    const deps = { store, handle, texts, issuer: async () => issuer, clock: () => new Date(NOON) };
    return {
      tell: () => tellIssuer(deps, { kind: 'use', cardId, use, number: 4 }, signal),
      status: async () => cardStatus((await load(store, cardKind, cardStream(cardId)))!),
    };
  }

  it('that the issuer refuses is undone, so that nobody waits for it', async () => {
    const { tell, status } = await setUpCard(() => Promise.reject(new IssuerRefused('other', 'no')));
    expect(await status()).toBe('PENDING_FREEZE');
    await tell();
    expect(await status()).toBe('ACTIVE');
  });

  it('that the issuer cannot be told of now waits', async () => {
    const { tell, status } = await setUpCard(() => Promise.reject(new IssuerUnavailable('away')));
    await expect(tell()).rejects.toThrow('away');
    expect(await status()).toBe('PENDING_FREEZE');
  });

  it('that closes it stays, and operators are told of the refusal', async () => {
    const refuse = () => Promise.reject(new IssuerRefused('other', 'no'));
    const { tell, status } = await setUpCard(refuse, 'close');
    await expect(tell()).rejects.toThrow('no');
    expect(await status()).toBe('CLOSED');
  });
});

it('one whom the issuer cannot be told of now waits', async () => {
  const { tell, kyc } = await setUp(() => Promise.reject(new IssuerUnavailable('away')));
  await expect(tell()).rejects.toThrow('away');
  expect(await kyc()).toMatchObject({ startedAt: NOON, result: null });
});
