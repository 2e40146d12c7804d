import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  Cell,
  comment,
  type CommonMessageInfoRelaxedInternal,
  internal,
  type MessageRelaxed,
  toNano,
} from '@ton/core';
import fc from 'fast-check';
import { gaslessSendStream } from '../../contracts/events/gasless-send';
import { jettonTransferBody } from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import type { Quote } from '../../services/gasless/quote/quote';
import { sendOn } from '../../services/gasless/relay/send-on';
import { readCarrier } from '../../services/gasless/request/carrier';
import { gaslessSendKind } from '../../services/gasless/send/decider';
import { load } from '../../services/commands/load';
import { runs } from '../random';
import { coinsOf, ISSUER, jettonsOf, RELAY, startLocalRelay, type LocalRelay } from './local-relay';
import { post, quoteFor, rebuilt, signedCarrier, testRelayer, type TestRelayer } from './relayer';

jest.setTimeout(180_000 * Math.max(1, Number(process.env['PROPERTY_SCALE'] ?? 1)));

type Message = MessageRelaxed;

const JETTONS = 5_000_000n;
/** What an attack may cost at most: a wallet that has used up its seqno sends the coins back, less the fees. */
const LOSS_BOUND = toNano('0.02');
/** Of the test's rate: three units of a million each for a TON. */
const worthOf = (commission: bigint): bigint => (commission * 10n ** 9n) / 3_000_000n;

let local: LocalRelay;
let test: TestRelayer;
beforeAll(async () => void (local = await startLocalRelay()));
beforeEach(() => void (test = testRelayer(local)));
afterEach(() => test.close());
afterAll(() => local.close());

type Transfer = Quote['target']['transfer'];
const STRANGER = localWallet('stranger of attacks', 'v5r1', 'testnet');
const strangers = STRANGER.contract.address.toRawString();

/** What an attacker changes of the transfer after the quote, each to pay for something else or to keep more. */
const CHANGES = {
  'another receiver': () => ({ destination: strangers }),
  'what is left for somebody else': () => ({ response: strangers }),
  'what is left for nobody': () => ({ response: null }),
  'more coins for the receiver': ({ forwardAmount }) => ({ forwardAmount: forwardAmount + toNano('0.01') }),
  'another comment': () => ({ forwardPayload: comment('changed') }),
  'a custom payload': () => ({ customPayload: Cell.EMPTY }),
  'another query id': () => ({ queryId: 1n }),
} satisfies Record<string, (transfer: Transfer) => Partial<Transfer>>;

/** What an attacker changes of the message around it. */
const MESSAGE_CHANGES = {
  'more coins': message => withValue(message, 1n),
  'fewer coins': message => withValue(message, -1n),
  'no bounce': message => ({ ...message, info: { ...infoOf(message), bounce: false } }),
  'a state': message => ({ ...message, init: { code: Cell.EMPTY, data: Cell.EMPTY } }),
} satisfies Record<string, (message: Message) => Message>;

type Change = keyof typeof CHANGES | keyof typeof MESSAGE_CHANGES;
const CHANGE_NAMES = [...Object.keys(CHANGES), ...Object.keys(MESSAGE_CHANGES)] as Change[];

function infoOf({ info }: Message): CommonMessageInfoRelaxedInternal {
  if (info.type !== 'internal') throw new Error('not an internal message');
  return info;
}

function withValue(message: Message, more: bigint): Message {
  const info = infoOf(message);
  return { ...message, info: { ...info, value: { coins: info.value.coins + more } } };
}

/** What is done to a transfer, most often nothing, so that several of these are seen together and alone. */
const attack = fc.record({
  amount: fc.bigInt({ min: 1n, max: JETTONS }),
  more: fc.oneof({ weight: 5, arbitrary: fc.constant(0n) }, fc.constantFrom(-1n, 1n, 2n, 10n ** 6n)),
  mode: fc.oneof({ weight: 6, arbitrary: fc.constant(3) }, fc.integer({ min: 0, max: 255 })),
  /** Of the messages, which has the mode: the other has the right one. */
  modeOf: fc.constantFrom('transfer' as const, 'commission' as const, 'both' as const),
  change: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.constantFrom(...CHANGE_NAMES)),
  /** Whose signature it has. */
  signer: fc.oneof({ weight: 8, arbitrary: fc.constant('owner' as const) }, fc.constant('stranger' as const)),
  validFor: fc.oneof({ weight: 6, arbitrary: fc.constant(300) }, fc.constantFrom(-1, 5, 16, 700)),
  seqno: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2 ** 32 - 1)),
  order: fc.oneof(
    { weight: 5, arbitrary: fc.constant('quoted' as const) },
    fc.constantFrom('reversed' as const, 'twice' as const, 'unpaid' as const, 'underpaid' as const),
  ),
  withState: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  posts: fc.integer({ min: 1, max: 3 }),
  /** Another request of the same seqno is posted too. */
  hasRival: fc.boolean(),
  /** A bit of the posted message that is turned over. */
  bit: fc.option(fc.nat(), { nil: null, freq: 3 }),
  /** By an external message of the same seqno the wallet does something else, before the relayer's message arrives. */
  frontRun: fc.constantFrom(null, null, 'nothing' as const, 'takes its jettons away' as const),
  when: fc.constantFrom('accepted' as const, 'signed' as const),
});
type Attack = ReturnType<typeof attack.generate>['value'];

const HONEST: Attack = {
  amount: 1_000n,
  more: 0n,
  mode: 3,
  modeOf: 'both',
  change: null,
  signer: 'owner',
  validFor: 300,
  seqno: 0,
  order: 'quoted',
  withState: true,
  posts: 1,
  hasRival: false,
  bit: null,
  frontRun: null,
  when: 'accepted',
};
/** Whatever is drawn, these are among the cases: a transfer that is paid for, and attacks that get as far as the chain. */
const ON_CHAIN: Attack[] = [
  HONEST,
  { ...HONEST, frontRun: 'nothing' },
  { ...HONEST, frontRun: 'takes its jettons away', when: 'signed' },
];
/** And what would be carried out if the relayer did not look at what was signed. */
const UNLIKE_QUOTE: Attack[] = [
  ...CHANGE_NAMES.map(change => ({ ...HONEST, change })),
  ...[1, 2, 64].flatMap(mode =>
    (['transfer', 'commission'] as const).map(modeOf => ({ ...HONEST, mode, modeOf })),
  ),
  { ...HONEST, more: 2n },
  { ...HONEST, validFor: 5 },
  { ...HONEST, validFor: 700 },
  { ...HONEST, order: 'twice' },
  { ...HONEST, order: 'unpaid' },
  { ...HONEST, order: 'underpaid' },
  { ...HONEST, signer: 'stranger' },
  { ...HONEST, seqno: 1 },
  { ...HONEST, withState: false },
];
const CASES = [...ON_CHAIN, ...UNLIKE_QUOTE];

let attackers = 0;
/** Attacks that what the relayer and the issuer of the jettons have at first is enough for. */
const FUNDED = 100;

async function newAttacker(): Promise<LocalWallet> {
  if (attackers % FUNDED === FUNDED - 1)
    for (const { contract } of [RELAY, ISSUER])
      await local.devnet.faucet(contract.address.toRawString(), toNano(50));
  const wallet = localWallet(`attacker ${(attackers += 1)}`, 'v5r1', 'testnet');
  await local.mint(wallet.contract.address, JETTONS);
  return wallet;
}

function messagesOf(quote: Quote, { more, order, change }: Attack): Message[] {
  const { transfer } = quote.target;
  const ofTransfer = change && change in CHANGES ? CHANGES[change as keyof typeof CHANGES](transfer) : {};
  const changed = {
    ...quote,
    target: { ...quote.target, transfer: Object.assign({ ...transfer }, ofTransfer) },
  };
  const [plain] = rebuilt(changed, transfer.amount + more) as [Message];
  const [, commission] = rebuilt(quote) as [Message, Message];
  const isOfMessage = change !== null && change in MESSAGE_CHANGES;
  const target = isOfMessage ? MESSAGE_CHANGES[change as keyof typeof MESSAGE_CHANGES](plain) : plain;
  switch (order) {
    case 'quoted':
      return [target, commission];
    case 'reversed':
      return [commission, target];
    case 'twice':
      return [target, target, commission];
    case 'unpaid':
      return [target];
    case 'underpaid':
      return [target, rebuilt({ ...quote, commission: quote.commission - 1n })[1]!];
  }
}

/** Whether a relayer may take on what was signed, by the words of a quote; what it then costs is seen apart. */
function isAsQuoted({ more, mode, order, change }: Attack): boolean {
  return more <= 1n && mode === 3 && order === 'quoted' && change === null;
}

/** The same of the request around it. */
function isWellSigned({ validFor, seqno, withState, signer }: Attack): boolean {
  return validFor >= 15 && validFor <= 600 && seqno === 0 && withState && signer === 'owner';
}

/** Amounts of requests that may be accepted. */
function acceptable(quote: Quote, tried: Attack): string[] {
  if (!isWellSigned(tried)) return [];
  const rivals = tried.hasRival && tried.mode === 3 ? [1n] : [];
  const own = isAsQuoted(tried) ? [quote.target.transfer.amount + tried.more] : [];
  return [...own, ...rivals].map(String);
}

function turned(boc: Buffer, bit: number | null): Buffer {
  if (bit === null) return boc;
  const changed = Buffer.from(boc);
  const at = bit % (boc.length * 8);
  changed[at >> 3]! ^= 1 << (at & 7);
  return changed;
}

async function postAll(wallet: LocalWallet, quote: Quote, tried: Attack): Promise<void> {
  const { now } = await local.client.getLastBlock();
  const { seqno, mode, modeOf, validFor, withState, posts, signer } = tried;
  const owner = signer === 'owner' ? wallet : { ...wallet, signer: STRANGER.signer };
  const modes = (['transfer', 'commission'] as const).map(of =>
    modeOf === 'both' || modeOf === of ? mode : 3,
  );
  const signing = { wallet: owner, seqno, modes, validUntil: now + validFor, withState };
  const boc = await signedCarrier(quote, { ...signing, messages: messagesOf(quote, tried) });
  const rival = await signedCarrier(quote, { ...signing, amount: 1n });
  const bocs = [
    ...Array.from({ length: posts }, () => turned(boc, tried.bit)),
    ...(tried.hasRival ? [rival] : []),
  ];
  for (const each of bocs) if (readCarrier(each)) await post(test, each, wallet, String(attackers));
}

async function frontRun(wallet: LocalWallet, { frontRun: kind }: Attack): Promise<void> {
  if (kind === null) return;
  const to = local.jettonWalletOf(wallet.contract.address);
  const elsewhere = localWallet('elsewhere', 'v4r2', 'testnet').contract.address;
  const body = jettonTransferBody({
    to: elsewhere,
    amount: kind === 'nothing' ? 0n : JETTONS,
    response: wallet.contract.address,
    forwardValue: 1n,
  });
  await transfer(local.api, wallet, [internal({ to, value: toNano('0.1'), body })]);
}

const refOf = (wallet: LocalWallet) => ({
  network: 'testnet' as const,
  wallet: wallet.contract.address.toRawString(),
  seqno: 0,
});

/** The amount of what was accepted; null where nothing was. */
async function acceptedOf(wallet: LocalWallet): Promise<string | null> {
  const send = await load(test.store, gaslessSendKind, gaslessSendStream(refOf(wallet)));
  return send && send.accepted.amount;
}

/** Lets the relayer work on what was accepted, and the attacker interfere. */
async function relayed(wallet: LocalWallet, tried: Attack): Promise<void> {
  const ref = refOf(wallet);
  if (tried.when === 'signed') {
    const client = { ...test.relayer.client, sendMessage: () => Promise.resolve() };
    await sendOn(test.deps, { ...test.relayer, client }, [ref]);
  }
  await frontRun(wallet, tried);
  while ((await sendOn(test.deps, test.relayer, [ref])).length === 0) await sleep(20);
  // Until all that follows from it has arrived.
  for (let blocks = 0; blocks < 3; blocks++) await local.devnet.simulation.produceBlock();
}

it('takes on nothing but what was quoted, and never loses more by it than its commission is worth, and the bound', async () => {
  const random = runs(25);
  const seen = { accepted: 0, paid: 0, bounced: 0 };
  await fc.assert(
    fc.asyncProperty(attack, async tried => {
      const wallet = await newAttacker();
      const relay: Address = local.relay.contract.address;
      if (tried.frontRun) await local.devnet.faucet(wallet.contract.address.toRawString(), toNano('0.5'));
      const [coins, jettons] = [await coinsOf(local, relay), await jettonsOf(local, relay)];
      const to = localWallet(`of ${attackers}`, 'v4r2', 'testnet').contract.address;
      const quote = await quoteFor(test, local, { wallet, to, amount: tried.amount }).catch(() => null);
      if (quote) await postAll(wallet, quote, tried);
      const accepted = await acceptedOf(wallet);
      if (accepted !== null) {
        expect(quote && acceptable(quote, tried)).toContain(accepted);
        await relayed(wallet, tried);
      }

      const lost = coins - (await coinsOf(local, relay));
      const paid = (await jettonsOf(local, relay)) - jettons;
      if (accepted === null) expect([lost, paid]).toEqual([0n, 0n]);
      else if (paid > 0n) expect(lost).toBeLessThanOrEqual(worthOf(paid));
      else expect(lost).toBeLessThanOrEqual(LOSS_BOUND);
      seen.accepted += Number(accepted !== null);
      seen.paid += Number(paid > 0n);
      seen.bounced += Number(accepted !== null && paid === 0n);
    }),
    {
      ...random,
      numRuns: random.numRuns + CASES.length,
      endOnFailure: true,
      examples: CASES.map(tried => [tried]),
    },
  );
  expect(seen.paid).toBeGreaterThan(0);
  expect(seen.bounced).toBeGreaterThanOrEqual(ON_CHAIN.length - 1);
  process.stdout.write(
    `attacks that were accepted, paid for, and bounced: ${Object.values(seen).join(', ')}\n`,
  );
});
