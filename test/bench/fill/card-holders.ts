import { CARD_ORDERING } from '../../card/ordering';
import { createHash } from 'node:crypto';
import { cardIdOf, cardStream } from '../../../contracts/events/card';
import { cardAccountId } from '../../../contracts/events/card-account';
import { cardTokenStream } from '../../../contracts/events/card-token';
import { CARD_CONTACT_KINDS, cardUserId, cardUserStream } from '../../../contracts/events/card-user';
import type { EventStore } from '../../../contracts/ports/event-store';
import { authorise, changeAccount, moveAccount } from '../../../services/card/account/commands';
import { changeCard, payForCard } from '../../../services/card/card/commands';
import { cardKind } from '../../../services/card/card/decider';
import { cardTokenKind } from '../../../services/card/tokens/decider';
import { digestOfToken } from '../../../services/card/tokens/digest';
import { cardUserKind, type CardUserCommand } from '../../../services/card/user/decider';
import { createHandle } from '../../../services/commands/handle';
import { load } from '../../../services/commands/load';
import { amountsOf, OPENING } from '../../card/account';

/** Of the main network, with what is to be read of it. */
export interface CardHolder {
  readonly token: string;
  readonly accountId: string;
  readonly cardId: string;
}

const TOGETHER = 200;
const network = 'mainnet';
const CARDS = 3;
const MONEY = 10n ** 15n;
const LIMITS = { onetime: `${MONEY}`, daily: `${MONEY}`, monthly: `${MONEY}` };

/** Card holders that have enrolled, and nothing else. @returns their tokens */
export async function enrolCardHolders(store: EventStore, count: number): Promise<string[]> {
  const handle = createHandle({ store });
  const metadata = { now: new Date().toISOString(), actor: 'bench' };
  const enrol = async (n: number): Promise<string> => {
    const publicKey = createHash('sha256').update(`card holder ${n}`).digest('hex');
    const userId = cardUserId(network, publicKey);
    await handle(cardUserKind, cardUserStream(userId), {
      type: 'enrol',
      userId,
      network,
      publicKey,
      isInvited: true,
      source: 'bench',
      hasPlace: true,
      wallets: [],
      metadata,
    });
    const token = createHash('sha256').update(`token ${n}`).digest('base64url');
    const digest = digestOfToken(token);
    await handle(cardTokenKind, cardTokenStream(digest), {
      type: 'issue',
      digest,
      userId,
      network,
      epoch: 0,
      source: 'bench',
      metadata,
    });
    return token;
  };
  const tokens: string[] = [];
  for (let first = 0; first < count; first += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, count - first) }, (_, n) => enrol(first + n));
    tokens.push(...(await Promise.all(some)));
  }
  return tokens;
}

/** Card holders with two accounts and three cards each, and purchases with the first of these. */
export async function fillCardHolders(
  store: EventStore,
  count: number,
  purchases: number,
): Promise<CardHolder[]> {
  const tokens = await enrolCardHolders(store, count);
  const holders: CardHolder[] = [];
  for (const [n, token] of tokens.entries()) holders.push(await fillHolder(store, n, token, purchases));
  return holders;
}

async function fillHolder(
  store: EventStore,
  n: number,
  token: string,
  purchases: number,
): Promise<CardHolder> {
  const deps = { store, handle: createHandle({ store }) };
  const metadata = { now: new Date().toISOString(), actor: 'bench' };
  const userId = cardUserId(network, createHash('sha256').update(`card holder ${n}`).digest('hex'));
  const decide = (command: object) =>
    deps.handle(cardUserKind, cardUserStream(userId), { ...command, metadata } as CardUserCommand);
  for (const [index, kind] of CARD_CONTACT_KINDS.entries()) {
    await decide({ type: 'request_code', kind, contact: { subject: userId, ciphertext: 'v1.A.A' } });
    await decide({ type: 'confirm_code', kind, codeId: index + 1, isRight: true });
  }
  await decide({ type: 'decide_kyc', result: 'GREEN', decidedAt: metadata.now, profile: null });
  for (const [accountIndex, chain] of (['ton', 'solana'] as const).entries()) {
    const accountId = cardAccountId(userId, chain);
    const account = { ...OPENING, network, accountId, userId, accountIndex, limits: LIMITS } as const;
    await changeAccount(deps, accountId, { type: 'open', account: { ...account, deposit: null }, metadata });
  }
  const accountId = cardAccountId(userId, 'ton');
  await moveAccount(deps, accountId, {
    type: 'topUp',
    transactionId: 'top-up/1',
    entryId: 'top-up/1',
    cardId: null,
    amount: `${MONEY}`,
    occurredAt: metadata.now,
    metadata,
    chain: { account: OPENING.deposit!, hash: '1', lt: '1' },
  });
  const [cardId = ''] = Array.from({ length: CARDS }, (_, card) => cardIdOf(accountId, `card-${card}`));
  for (let card = 0; card < CARDS; card++) {
    const id = cardIdOf(accountId, `card-${card}`);
    await changeCard(deps, id, {
      type: 'order',
      card: { ...CARD_ORDERING, cardId: id, accountId, network, userId },
      all: 0,
      open: 0,
      metadata,
    });
    await payForCard(deps, id, metadata);
    const issued = { issuerCardId: `issuer/${id}`, lastFourDigits: '4242' };
    await changeCard(deps, id, { type: 'recordIssued', ...issued, metadata });
  }
  for (let purchase = 0; purchase < purchases; purchase++) await buy(store, cardId, `filled-${purchase}`);
  return { token, accountId, cardId };
}

/** A purchase that is authorised. @throws where it is declined */
export async function buy(store: EventStore, cardId: string, transactionId: string): Promise<void> {
  const deps = { store, handle: createHandle({ store }) };
  const metadata = { now: new Date().toISOString(), actor: 'bench' };
  const card = (await load(store, cardKind, cardStream(cardId)))!;
  const answer = await authorise(deps, card, {
    transactionId,
    entryId: transactionId,
    isIncrement: false,
    occurredAt: metadata.now,
    cardId,
    amounts: amountsOf(100),
    merchant: null,
    metadata,
  } as Parameters<typeof authorise>[2]);
  if (!('approved' in answer) || !answer.approved) throw new Error(JSON.stringify(answer));
}
