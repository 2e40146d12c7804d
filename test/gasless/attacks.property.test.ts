import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, internal, toNano } from '@ton/core';
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

/** What is done to a transfer, most often nothing, so that several of these are seen together and alone. */
const attack = fc.record({
  amount: fc.bigInt({ min: 1n, max: JETTONS }),
  more: fc.oneof({ weight: 5, arbitrary: fc.constant(0n) }, fc.constantFrom(-1n, 1n, 2n, 10n ** 6n)),
  mode: fc.oneof({ weight: 6, arbitrary: fc.constant(3) }, fc.integer({ min: 0, max: 255 })),
  validFor: fc.oneof({ weight: 6, arbitrary: fc.constant(300) }, fc.constantFrom(-1, 5, 16, 700)),
  seqno: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2 ** 32 - 1)),
  order: fc.oneof(
    { weight: 5, arbitrary: fc.constant('quoted' as const) },
    fc.constantFrom('reversed' as const, 'twice' as const, 'unpaid' as const),
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
const CASES: [Attack][] = [
  [HONEST],
  [{ ...HONEST, frontRun: 'nothing' }],
  [{ ...HONEST, frontRun: 'takes its jettons away', when: 'signed' }],
];

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

function messagesOf(quote: Quote, { more, order }: Attack) {
  const [target, commission] = rebuilt(quote, quote.target.transfer.amount + more) as [
    ReturnType<typeof internal>,
    ReturnType<typeof internal>,
  ];
  switch (order) {
    case 'quoted':
      return [target, commission];
    case 'reversed':
      return [commission, target];
    case 'twice':
      return [target, target, commission];
    case 'unpaid':
      return [target];
  }
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
  const { seqno, mode: sendMode, validFor, withState, posts } = tried;
  const signing = { wallet, seqno, sendMode, validUntil: now + validFor, withState };
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

/** Lets the relayer work on what was accepted, and the attacker interfere. @returns whether it was accepted */
async function relayed(wallet: LocalWallet, tried: Attack): Promise<boolean> {
  const ref = { network: 'testnet' as const, wallet: wallet.contract.address.toRawString(), seqno: 0 };
  if ((await load(test.store, gaslessSendKind, gaslessSendStream(ref))) === null) return false;
  if (tried.when === 'signed') {
    const client = { ...test.relayer.client, sendMessage: () => Promise.resolve() };
    await sendOn(test.deps, { ...test.relayer, client }, [ref]);
  }
  await frontRun(wallet, tried);
  while ((await sendOn(test.deps, test.relayer, [ref])).length === 0) await sleep(20);
  // Until all that follows from it has arrived.
  for (let blocks = 0; blocks < 3; blocks++) await local.devnet.simulation.produceBlock();
  return true;
}

it('never loses more by a transfer than its commission is worth, and the bound', async () => {
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
      const isAccepted = await relayed(wallet, tried);

      const lost = coins - (await coinsOf(local, relay));
      const paid = (await jettonsOf(local, relay)) - jettons;
      if (!isAccepted) expect([lost, paid]).toEqual([0n, 0n]);
      else if (paid > 0n) expect(lost).toBeLessThanOrEqual(worthOf(paid));
      else expect(lost).toBeLessThanOrEqual(LOSS_BOUND);
      seen.accepted += Number(isAccepted);
      seen.paid += Number(paid > 0n);
      seen.bounced += Number(isAccepted && paid === 0n);
    }),
    { ...runs(25), endOnFailure: true, examples: CASES },
  );
  expect(seen.paid).toBeGreaterThan(0);
  expect(seen.bounced).toBeGreaterThanOrEqual(CASES.length - 1);
  process.stdout.write(
    `attacks that were accepted, paid for, and bounced: ${Object.values(seen).join(', ')}\n`,
  );
});
