import { cardChallengeStream } from '../../contracts/events/card-challenge';
import { encodeBase58 } from '../../contracts/encoding/base58';
import { sha256 } from '../../contracts/encoding/sha256';
import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import { pushCards } from '../../infra/program/features/push/cards';
import { solana } from '../../infra/program/features/solana';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { moveAccount, type CardMovement } from '../../services/card/account/commands';
import { changeCard } from '../../services/card/card/commands';
import type { CardOrdering } from '../../services/card/card/decider';
import { cardChallengeKind } from '../../services/card/challenge/decider';
import { proofText } from '../../services/push/device/proofs';
import { ed25519Key } from '../../infra/devnet/ed25519';
import { amountsOf } from '../card/account';
import { openedAccount } from '../card/top-ups';
import { until } from '../until';
import { startPushProgram, type PushProgram } from './program';

/** A card holder with a device, and a stranger with another one at the same address. */

const CARD = '2f0c2f5e-7f0b-4d0e-9b66-0d5c1f1f8a11';
const keys = ed25519Key(Buffer.alloc(32, 5));
const wallet = encodeBase58(keys.publicKey);

let program: PushProgram;
let account: Awaited<ReturnType<typeof openedAccount>>;

beforeAll(async () => {
  program = await startPushProgram(
    undefined,
    { CARD_SANDBOX: 'true' },
    [watch, card, cardAccounts, pushCards],
    {
      beside: [ton, solana],
    },
  );
  account = await openedAccount(program.deps, 'testnet', { chain: 'solana', address: wallet });
  const timestamp = Math.floor(Date.now() / 1_000);
  const text = proofText('ExponentPushToken[own]', wallet)(timestamp);
  const proof = { address: wallet, timestamp, signature: keys.sign(sha256(text)).toString('base64') };
  const body = { addresses: [wallet], network: 'testnet' };
  expect((await program.register('192.0.2.1', 'stranger', body)).status).toBe(200);
  expect((await program.register('203.0.113.7', 'own', { ...body, proofs: [proof] })).status).toBe(200);
});
afterAll(() => program?.stop());

const metadata = () => ({ now: new Date().toISOString(), actor: 'issuer' });
const deps = () => ({ store: program.deps.engines.store, handle: program.deps.handle });
const merchant = {
  dirtyName: 'CLINIC 7 BERLIN',
  cleanName: 'Clinic',
  country: 'DE',
  logo: null,
  logoUrl: null,
  merchantId: 'm-1',
  placeId: null,
};
const move = (type: CardMovement['type'], id: string, rest: object) =>
  moveAccount(deps(), account.accountId, {
    type,
    transactionId: 'p-1',
    entryId: id,
    cardId: CARD,
    merchant,
    amounts: amountsOf(4_711),
    occurredAt: metadata().now,
    metadata: metadata(),
    ...rest,
  } as CardMovement);

/** What the devices get once there are so many notifications. */
async function contents(count: number) {
  await until(async () => (await program.contents('card_event')).length >= count);
  // Nothing more follows.
  await program.happened();
  return program.contents('card_event');
}

it('the device of a holder is notified of cards in the words of the wallet app, without what is personal', async () => {
  await move('topUp', '1', {
    transactionId: 'top-up/1',
    cardId: null,
    amount: '100000',
    chain: { account: { chain: 'solana', network: 'devnet', address: wallet }, hash: '1', lt: '1' },
  });
  const [deposit] = await contents(1);
  expect(deposit).toEqual({
    title: 'Card',
    body: 'Your card account was topped up',
    data: {
      type: 'holders-push',
      accountId: account.accountId,
      addresses: [wallet],
      eventId: expect.any(String),
    },
  });
  await move('recordAuthorised', '2', {});
  // Of what was authorised there is no other notification when it is cleared.
  await move('recordCleared', '3', {
    ofAuthorisation: '4711',
    final: true,
    forced: false,
    interchange: null,
  });
  await move('recordRefunded', '4', { full: true });
  const [, charge, refund] = await contents(3);
  expect([charge, refund]).toMatchObject(
    ['Your card was charged', 'Money was returned to your card account'].map(body => ({
      body,
      data: { type: 'holders-push', accountId: account.accountId, cardId: CARD },
    })),
  );
  expect(JSON.stringify(await contents(3))).not.toMatch(/clinic|4711|47\.11|berlin|EUR/i);
});

it('a question is notified while it can be answered, and nothing that the holder has done', async () => {
  const order: CardOrdering = {
    cardId: CARD,
    accountId: account.accountId,
    network: 'testnet',
    userId: account.userId,
    type: 'DEBIT',
    schema: 'visa',
    design: null,
    fiatCurrency: 'EUR',
    productId: 'virtual',
    fee: '0',
    personalizationCode: 'standard',
    delivery: null,
    replaces: null,
    sandbox: true,
  };
  await changeCard(deps(), CARD, { type: 'order', card: order, all: 0, open: 0, metadata: metadata() });
  const change = { by: 'holder', reason: 'lost', occurredAt: metadata().now, metadata: metadata() } as const;
  await changeCard(deps(), CARD, { type: 'recordBlocked', ...change });
  const ask = (challengeId: string, expiresAt: number) =>
    program.deps.handle(cardChallengeKind, cardChallengeStream('testnet', challengeId), {
      type: 'receive',
      challenge: {
        challengeId,
        network: 'testnet',
        userId: account.userId,
        accountId: account.accountId,
        cardId: CARD,
        kind: 'confirmation_request',
        code: null,
        amount: null,
        merchant,
        expiresAt: new Date(expiresAt).toISOString(),
      },
      metadata: metadata(),
    });
  await ask('over', Date.now() - 1_000);
  await ask('open', Date.now() + 600_000);
  const all = await contents(4);
  expect(all).toHaveLength(4);
  expect(all[3]).toMatchObject({
    body: 'A payment with your card waits for your confirmation',
    data: { eventId: 'open', cardId: CARD },
  });
});

it('a device that its wallet has not proven to be its own learns nothing', async () => {
  expect(new Set(await program.notified('card_event'))).toEqual(new Set(['own']));
});
