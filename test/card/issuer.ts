import { CARD_ORDERING } from './ordering';
import { randomBytes, randomUUID } from 'node:crypto';
import type { CardIssuer } from '../../contracts/card-issuer/issuer';
import {
  signWebhook,
  WEBHOOK_ID,
  WEBHOOK_SIGNATURE,
  WEBHOOK_TIMESTAMP,
} from '../../contracts/card-issuer/signature';
import type { IssuerWebhookInput } from '../../contracts/card-issuer/webhooks';
import { cardUserId, cardUserStream } from '../../contracts/events/card-user';
import { openPersonalTexts } from '../../infra/program/personal-texts';
import { changeAccount, moveAccount } from '../../services/card/account/commands';
import { changeCard, payForCard } from '../../services/card/card/commands';
import { decideKyc } from '../../services/card/user/commands';
import { cardUserKind, type CardUserCommand } from '../../services/card/user/decider';
import { createHandle } from '../../services/commands/handle';
import type { OpenedIssuer } from '../../infra/program/features/card/issuing';
import type { TestProgram } from '../program';
import { OPENING } from './account';
import { keysOf, type Answer } from './holder';

export const SECRETS = [randomBytes(32), randomBytes(32)];

/** Does what it is told, and remembers it. */
export function recordingIssuer() {
  const told: unknown[] = [];
  let fault: Error | null = null;
  const tell =
    <Data>(what: string, data: Data) =>
    async (...args: readonly unknown[]): Promise<Data> => {
      if (fault) throw fault;
      told.push([what, ...args.slice(0, -1)]);
      return data;
    };
  const issuer: CardIssuer = {
    sandbox: true,
    startKyc: tell('kyc', undefined),
    issueCard: tell('issue', undefined),
    changeCard: tell('use', undefined),
    answerChallenge: tell('answer', undefined),
    appleProvisioning: tell('apple', {
      encryptedData: 'AAAA',
      activationData: 'BBBB',
      ephemeralPublicKey: 'CCCC',
    }),
    googleProvisioning: tell('google', { encryptedData: 'AAAA' }),
    rate: tell('rate', { units: '3', per: '1' }),
  };
  const opened: OpenedIssuer = { secrets: SECRETS, issuer: () => Promise.resolve(issuer) };
  return {
    told,
    resource: { open: () => Promise.resolve(opened) },
    fail: (error: Error | null) => void (fault = error),
  };
}

interface Sending {
  readonly id?: string;
  /** Unix ms. */
  readonly at?: number;
  readonly signedBy?: readonly Buffer[];
  /** What is sent in place of what was signed. */
  readonly sent?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends webhooks as the issuer does. @param base with its mount */
export function webhookSender(base: string, now: () => number) {
  const sendText = async (body: string, options: Sending = {}): Promise<Answer> => {
    const { id = `msg_${randomUUID()}`, at = now(), signedBy = [SECRETS[0]!], sent = body } = options;
    const timestamp = String(Math.floor(at / 1_000));
    const signatures = signedBy.map(secret => signWebhook({ id, timestamp, body }, secret));
    const response = await fetch(`${base}/webhooks/issuer`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        [WEBHOOK_ID]: id,
        [WEBHOOK_TIMESTAMP]: timestamp,
        [WEBHOOK_SIGNATURE]: signatures.join(' '),
        ...options.headers,
      },
      body: sent,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    sendText,
    send: (webhook: IssuerWebhookInput, options?: Sending) => sendText(JSON.stringify(webhook), options),
  };
}

/** Has a holder that may do everything, with an account of 100,000 and an active card. */
export async function openCard({ deps }: TestProgram, name: string, now: string, rest = {}) {
  const handle = createHandle(deps.engines);
  const moves = { store: deps.engines.store, handle };
  const metadata = { now, actor: 'test' };
  const network = 'mainnet' as const;
  const userId = cardUserId(network, keysOf(name).publicKey.toString('hex'));
  const texts = await openPersonalTexts(deps.config, deps.engines);
  const codes = ['phone', 'email'] as const;
  const asUser = (command: object) =>
    handle(cardUserKind, cardUserStream(userId), { ...command, metadata } as CardUserCommand);
  for (const [index, kind] of codes.entries()) {
    await asUser({ type: 'request_code', kind, contact: await texts.encrypt(userId, kind) });
    await asUser({ type: 'confirm_code', kind, codeId: index + 1, isRight: true });
  }
  await decideKyc({ handle, texts, clock: () => new Date(now) }, userId, {
    result: 'GREEN',
    decidedAt: now,
    profile: { firstName: 'Anna', lastName: 'Muster' },
  });
  const [accountId, cardId] = [randomUUID(), randomUUID()];
  const account = { ...OPENING, network, accountId, userId, ...rest };
  await changeAccount(moves, accountId, { type: 'open', account, metadata } as never);
  await moveAccount(moves, accountId, {
    type: 'topUp',
    transactionId: 'top-up/1',
    entryId: 'top-up/1',
    cardId: null,
    occurredAt: now,
    amount: '100000',
    metadata,
    chain: { account: OPENING.deposit!, hash: '1', lt: '1' },
  });
  await changeCard(moves, cardId, {
    type: 'order',
    card: { ...CARD_ORDERING, cardId, accountId, network, userId, fiatCurrency: account.fiatCurrency },
    all: 0,
    open: 0,
    metadata,
  });
  await payForCard(moves, cardId, metadata);
  return { userId, accountId, cardId };
}
