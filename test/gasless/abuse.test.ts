import { randomUUID } from 'node:crypto';
import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  SendMode,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import { WalletContractV4, WalletContractV5Beta, WalletContractV5R1 } from '@ton/ton';
import {
  GASLESS_SEND_CATEGORY,
  gaslessSendEvents,
  gaslessSendStream,
  type GaslessSendEvent,
} from '../../contracts/events/gasless-send';
import { readJettonCode } from '../../indexers/ton/jetton-code';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { openEmulatorThreads } from '../../infra/engines/ton-emulator/emulator-threads';
import { createTonEmulator } from '../../infra/engines/ton-emulator/ton-emulator';
import { COMMISSION_VALUE, commissionBody, type Quote } from '../../services/gasless/quote/quote';
import { readCarrier } from '../../services/gasless/request/carrier';
import { acceptSend } from '../../services/gasless/send/send';
import { silent } from '../devnet/ton';
import { GASLESS_SEND_SAMPLES } from '../events/samples/gasless';
import { coinsOf, ISSUER, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import {
  ask,
  carrierOf,
  paying,
  post,
  quoteFor,
  rebuilt,
  signedCarrier,
  testRelayer,
  type Signing,
  type TestRelayer,
  type Wanted,
} from './relayer';

const RECEIVER = localWallet('receiver', 'v4r2', 'testnet').contract.address;
const AMOUNT = 1_000_000n;
type Message = ReturnType<typeof internal>;

let local: LocalRelay;
let test: TestRelayer;
let quote: Quote;
let user: LocalWallet;
let relay: Address;
let before: bigint;

beforeAll(async () => {
  local = await startLocalRelay();
  user = local.user;
  relay = local.relay.contract.address;
});
afterAll(() => local.close());
beforeEach(async () => {
  test = testRelayer(local);
  quote = await quoteFor(test, local, { to: RECEIVER, amount: AMOUNT - 1n });
  before = await coinsOf(local, relay);
});

/** Nothing was taken on, so nothing can be lost; and the quote is a good one: what it covers is accepted. */
afterEach(async () => {
  expect(await accepted()).toBe(0);
  expect(await coinsOf(local, relay)).toBe(before);
  expect(
    await post(test, await signedCarrier(quote, { wallet: user, seqno: 0, amount: AMOUNT }), user),
  ).toBeNull();
  expect(await accepted()).toBe(1);
  await test.close();
});

async function accepted(): Promise<number> {
  let count = 0;
  for await (const events of test.store.readAll({ categories: [GASLESS_SEND_CATEGORY] }))
    count += events.length;
  return count;
}

const signedWith = (changed: Partial<Signing>): Promise<Buffer> =>
  signedCarrier(quote, { wallet: user, seqno: 0, ...changed });

async function expectRefused(boc: Buffer, error = 'try-later', owner = user): Promise<void> {
  expect(await post(test, boc, owner)).toMatchObject({ error });
}

const commissionMessage = (commission = quote.commission): Message =>
  internal({
    to: Address.parseRaw(quote.jettonWallet),
    value: COMMISSION_VALUE,
    body: commissionBody({ relay: relay.toRawString(), commission }),
  });

const TESTNET = -3;
const SUBWALLET = { walletVersion: 'v5r1', workchain: 0, subwalletNumber: 1 } as const;
const subwalletOf = ({ keys: { publicKey } }: LocalWallet): WalletContractV5R1 =>
  WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: TESTNET, context: SUBWALLET } });

/** Wallets v5 that a key can have beside the one that applications make of it. */
const OTHER_WALLETS: [string, (wallet: LocalWallet) => WalletContractV5R1 | WalletContractV5Beta][] = [
  ['another subwallet', subwalletOf],
  [
    'the wallet of the main network',
    ({ keys: { publicKey } }) =>
      WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } }),
  ],
  [
    'the wallet of the beta version',
    ({ keys: { publicKey } }) =>
      WalletContractV5Beta.create({ publicKey, walletId: { networkGlobalId: TESTNET } }),
  ],
];

/** It has jettons, coins, and has sent one message. */
async function deployedWallet(name: string): Promise<LocalWallet> {
  const wallet = localWallet(name, 'v5r1', 'testnet');
  await local.mint(wallet.contract.address, USER_JETTONS);
  await local.devnet.faucet(wallet.contract.address.toRawString(), toNano(1));
  await transfer(local.api, wallet, [internal({ to: RECEIVER, value: 1n })]);
  return wallet;
}

async function changeExtension(
  change: 'createAddExtension' | 'createRemoveExtension',
  wallet: LocalWallet,
  seqno: number,
): Promise<void> {
  const body = await (wallet.contract as WalletContractV5R1)[change]({
    authType: 'external',
    seqno,
    timeout: 2_000_000_000,
    signer: wallet.signer,
    extensionAddress: RECEIVER,
  });
  await local.client.sendMessage(carrierOf(wallet, null, body));
  await local.devnet.simulation.produceBlock();
}

/** The transfer, changed after the quote. */
const changedTransfer = (changed: Partial<Parameters<typeof rebuilt>[0]['target']['transfer']>): Message =>
  rebuilt({
    ...quote,
    target: { ...quote.target, transfer: { ...quote.target.transfer, ...changed } },
  })[0]!;

interface JettonWalletData {
  readonly balance: bigint;
  readonly owner: Address;
  readonly master: Address;
  readonly code: Cell;
}

function readJettonWallet(data: Cell): JettonWalletData {
  const slice = data.beginParse();
  const [balance, owner, master] = [slice.loadCoins(), slice.loadAddress(), slice.loadAddress()];
  return { balance, owner, master, code: slice.loadRef() };
}

const jettonWalletData = ({ balance, owner, master, code }: JettonWalletData): Cell =>
  beginCell().storeCoins(balance).storeAddress(owner).storeAddress(master).storeRef(code).endCell();

describe('a send is refused', () => {
  it.each([0, 1, 2, 19, 64, 66, 128, 130])('with mode %i of either message, or of both', async mode => {
    for (const modes of [[mode], [3, mode], [mode, mode]])
      expect(await post(test, await signedWith({ modes }), user)).toMatchObject({ detail: 'other_messages' });
  });

  it.each<[string, () => Message[]]>([
    ['without a commission', () => [rebuilt(quote)[0]!]],
    ['with the commission alone', () => [commissionMessage()]],
    ['in the other order', () => rebuilt(quote).reverse()],
    ['with the commission twice', () => [...rebuilt(quote), commissionMessage()]],
    ['with the transfer twice', () => [rebuilt(quote)[0]!, ...rebuilt(quote)]],
    ['with less commission', () => [rebuilt(quote)[0]!, commissionMessage(quote.commission - 1n)]],
    ['with more commission', () => [rebuilt(quote)[0]!, commissionMessage(quote.commission + 1n)]],
    ['with a unit more than the user typed', () => rebuilt(quote, AMOUNT + 1n)],
    [
      'with a comment that was not quoted',
      () => [changedTransfer({ forwardPayload: comment('hi') }), commissionMessage()],
    ],
    [
      'with more coins for the receiver',
      () => [changedTransfer({ forwardAmount: toNano('0.03') }), commissionMessage()],
    ],
    [
      'to another receiver',
      () => [changedTransfer({ destination: relay.toRawString() }), commissionMessage()],
    ],
    ['with a custom payload', () => [changedTransfer({ customPayload: Cell.EMPTY }), commissionMessage()]],
    ['with another query id', () => [changedTransfer({ queryId: 7n }), commissionMessage()]],
    [
      'with what is left for the user',
      () => [changedTransfer({ response: user.contract.address.toRawString() }), commissionMessage()],
    ],
    [
      'with a state',
      () => [{ ...rebuilt(quote)[0]!, init: { code: Cell.EMPTY, data: Cell.EMPTY } }, commissionMessage()],
    ],
    [
      'with coins for a stranger',
      () => [internal({ to: RECEIVER, value: toNano('0.06') }), commissionMessage()],
    ],
    [
      'with an extra currency',
      () => [
        internal({
          to: Address.parseRaw(quote.jettonWallet),
          value: quote.target.value,
          extracurrency: { 100: 1n },
          body: rebuilt(quote)[0]!.body,
        }),
        commissionMessage(),
      ],
    ],
  ])('%s', async (_, messages) => expectRefused(await signedWith({ messages: messages() })));

  it('with a unit more than the commission leaves, as a quote for more would allow', async () => {
    const all = await quoteFor(test, local, { to: RECEIVER, amount: USER_JETTONS - 1n });
    const amount = USER_JETTONS - all.commission + 1n;
    const boc = await signedCarrier(all, { wallet: user, seqno: 0, amount });
    await expectRefused(boc, 'not-enough');
  });

  it.each([
    ['1', 1],
    ['of 32 bits', 2 ** 32 - 1],
  ])('with seqno %s', async (_, seqno) =>
    expect(await post(test, await signedWith({ seqno, withState: true }), user)).toMatchObject({
      detail: 'another seqno',
    }),
  );

  it.each<[string, (now: number) => number]>([
    ['that has expired', now => now - 1],
    ['that is about to expire', now => now + 14],
    ['that is valid for eleven minutes', now => now + 660],
    ['that is valid for ever', () => 2 ** 32 - 1],
  ])('%s', async (_, validUntil) => {
    const { now } = await local.client.getLastBlock();
    await expectRefused(await signedWith({ validUntil: validUntil(now) }));
  });

  it('without the state of a wallet that does not exist', async () => {
    const { body } = readCarrier(await signedWith({}))!;
    const boc = carrierOf(user, null, body);
    expect(await post(test, boc, user)).toMatchObject({ detail: 'the wallet does not exist' });
  });

  it('of a wallet that is frozen', async () => {
    const { client } = test.relayer;
    const frozen: typeof client = {
      ...client,
      async getAccount(seqno, address) {
        const account = await client.getAccount(seqno, address);
        return address === user.contract.address.toRawString() ? { ...account, status: 'frozen' } : account;
      },
    };
    const deps = { ...test.deps, relayer: () => ({ ...test.relayer, client: frozen }) };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({
      detail: 'no wallet v5 r1 of the key that its owner alone controls',
    });
  });

  it('signed by a stranger', async () => {
    const stranger = localWallet('stranger', 'v5r1', 'testnet');
    const forged = await signedWith({ wallet: { ...user, signer: stranger.signer } });
    // Before anything is read or emulated for it.
    expect(await post(test, forged, user)).toMatchObject({ detail: 'not the signature of the key' });
  });

  it('in the name of another key', async () => {
    const stranger = localWallet('stranger', 'v5r1', 'testnet');
    expect(await post(test, await signedWith({}), stranger)).toMatchObject({
      detail: 'not the wallet of the key',
    });
  });

  it('for an external message, which anybody could send', async () => {
    const { contract, keys } = user;
    const body = (contract as WalletContractV5R1).createTransfer({
      authType: 'external',
      seqno: 0,
      timeout: Math.floor(Date.now() / 1_000) + 300,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      secretKey: keys.secretKey,
      messages: rebuilt(quote),
    });
    await expectRefused(carrierOf(user, contract.init, body));
  });

  it('of the relay wallet itself', async () => {
    const boc = await signedCarrier(quote, { wallet: local.relay, seqno: 0 });
    expect(await post(test, boc, local.relay)).toMatchObject({ detail: 'the wallet is the relayer' });
  });

  it('of a wallet of version 4', async () => {
    const contract = WalletContractV4.create({ workchain: 0, publicKey: user.keys.publicKey });
    const { body } = readCarrier(await signedWith({}))!;
    await expectRefused(carrierOf({ ...user, contract }, contract.init, body));
  });

  it.each(OTHER_WALLETS)(
    'of %s of the key, though its messages are those of the quote',
    async (_, contractOf) => {
      const wallet = { ...user, contract: contractOf(user) as LocalWallet['contract'] };
      await expectRefused(await signedCarrier(quote, { wallet, seqno: 0 }));
    },
  );

  it('for another wallet id than that of the wallet', async () => {
    const { contract } = user;
    const other = subwalletOf(user);
    const body = await other.createTransfer({
      authType: 'internal',
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      seqno: 0,
      timeout: Math.floor(Date.now() / 1_000) + 300,
      signer: user.signer,
      messages: rebuilt(quote, AMOUNT),
    });
    expect(await post(test, carrierOf(user, contract.init, body), user)).toMatchObject({
      detail: 'another wallet id',
    });
  });

  it('of a wallet whose owner has carried out another request a moment ago, until what that sends has arrived', async () => {
    const hasty = await deployedWallet('hasty');
    const careful = testRelayer(local, { maxDeliverySeconds: 20 });
    const quoted = await quoteFor(careful, local, { wallet: hasty, to: RECEIVER, amount: AMOUNT });
    const boc = await signedCarrier(quoted, { wallet: hasty, seqno: 1 });
    expect(await post(careful, boc, hasty)).toMatchObject({
      error: 'try-later',
      detail: 'the wallet has carried out another request a moment ago',
    });
    await local.devnet.advanceTime(21);
    expect(await post(careful, boc, hasty)).toBeNull();
    await careful.close();
  });

  it('of a wallet whose last request arrives after the states were read', async () => {
    const wallet = await deployedWallet('arriving');
    const stream = { network: 'testnet' as const, wallet: wallet.contract.address.toRawString(), seqno: 0 };
    const record = async (type: GaslessSendEvent['type']): Promise<void> => {
      const data = { ...(GASLESS_SEND_SAMPLES[type]![0]!.data as object), ...stream };
      const event = gaslessSendEvents.write({ type, data } as GaslessSendEvent, randomUUID(), {});
      await arriving.store.append(gaslessSendStream(stream), 'any', [event]);
    };
    let isArriving = false;
    const client: LocalRelay['client'] = {
      ...local.client,
      async getLastBlock() {
        const block = await local.client.getLastBlock();
        if (isArriving) await record('GaslessSendConfirmed');
        isArriving = false;
        return block;
      },
    };
    const arriving = testRelayer({ ...local, client }, { maxDeliverySeconds: 20 });
    await record('GaslessSendAccepted');
    await record('GaslessSendRelayed');
    const quoted = await quoteFor(arriving, local, { wallet, to: RECEIVER, amount: AMOUNT });
    const boc = await signedCarrier(quoted, { wallet, seqno: 1 });
    isArriving = true;
    expect(await post(arriving, boc, wallet)).toMatchObject({ error: 'try-later' });
    expect(await post(arriving, boc, wallet)).toBeNull();
    await arriving.close();
  });

  it('of a wallet to which an extension was added after the quote', async () => {
    const wallet = await deployedWallet('extended later');
    const quoted = await quoteFor(test, local, { wallet, to: RECEIVER, amount: AMOUNT });
    const carrier = await signedCarrier(quoted, { wallet, seqno: 1 });
    await changeExtension('createAddExtension', wallet, 1);
    await expectRefused(carrier, 'try-later', wallet);
    await expectRefused(await signedCarrier(quoted, { wallet, seqno: 2 }), 'try-later', wallet);
  });

  it('that nobody has quoted to this wallet', async () => {
    const other = localWallet('other', 'v5r1', 'testnet');
    await local.mint(other.contract.address, USER_JETTONS);
    const boc = await signedCarrier(quote, {
      wallet: other,
      seqno: 0,
      messages: rebuilt({
        ...quote,
        jettonWallet: local.jettonWalletOf(other.contract.address).toRawString(),
      }),
    });
    await expectRefused(boc, 'try-later', other);
  });

  it('after its quote has ended', async () => {
    const later = { ...test.deps, clock: () => new Date((quote.validUntil + 1) * 1_000) };
    const carrier = readCarrier(await signedWith({}))!;
    const publicKey = user.keys.publicKey.toString('hex');
    expect(await acceptSend(later, { network: 'testnet', publicKey, carrier, source: 'a' })).toMatchObject({
      error: 'try-later',
    });
  });

  it('on a network without a relayer', async () => {
    const carrier = readCarrier(await signedWith({}))!;
    const publicKey = user.keys.publicKey.toString('hex');
    expect(
      await acceptSend(test.deps, { network: 'mainnet', publicKey, carrier, source: 'a' }),
    ).toMatchObject({ error: 'try-later' });
  });

  it('of a jetton that is not listed any more', async () => {
    const none = { ...test.relayer, jettons: () => Promise.resolve([]) };
    const deps = { ...test.deps, relayer: () => none };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({ error: 'try-later' });
  });

  it('of a jetton that was paused since it was quoted', async () => {
    const paused = {
      ...test.relayer,
      jettons: () => Promise.resolve([paying(local.master, { isPaused: true })]),
    };
    const deps = { ...test.deps, relayer: () => paused };
    const refused = { error: 'try-later', isUnsupported: true };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject(refused);
    expect(await ask({ ...test, deps }, local, { to: RECEIVER, amount: AMOUNT })).toMatchObject(refused);
  });

  it.each(['master', 'wallet'] as const)('of a jetton whose %s has other code than the listed', async of => {
    const { seqno } = await local.client.getLastBlock();
    const found = await readJettonCode(local.client, seqno, local.master.toRawString());
    const code = { ...found!, [of]: 'a'.repeat(64) };
    const other = { ...test.relayer, jettons: () => Promise.resolve([paying(local.master, { code })]) };
    const deps = { ...test.deps, relayer: () => other };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({ error: 'try-later' });
  });

  // As an issuer may do who can freeze: nothing that is read of the jetton wallets has changed.
  it.each<[string, () => Address, (data: JettonWalletData) => Partial<JettonWalletData>]>([
    ['is frozen', () => user.contract.address, () => ({ owner: RECEIVER })],
    ['takes no commission any more', () => relay, () => ({ master: RECEIVER })],
  ])('of a jetton that %s since it was quoted', async (_, ownerOf, change) => {
    await local.mint(relay, 1n);
    before = await coinsOf(local, relay);
    const frozen = local.jettonWalletOf(ownerOf()).toRawString();
    const client: typeof local.client = {
      ...local.client,
      async getAccount(seqno, address) {
        const account = await local.client.getAccount(seqno, address);
        if (address !== frozen) return account;
        const known = readJettonWallet(account.data!);
        return { ...account, data: jettonWalletData(Object.assign(known, change(known))) };
      },
    };
    const threads = openEmulatorThreads(silent);
    const emulator = createTonEmulator({ client, threads, now: Date.now });
    const deps = { ...test.deps, relayer: () => ({ ...test.relayer, emulator }) };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({
      detail: 'the transfer would not arrive',
    });
    await threads.close();
  });

  it('while the relay wallet is low', async () => {
    const deps = { ...test.deps, relayer: () => ({ ...test.relayer, minBalance: before }) };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({ error: 'try-later' });
  });

  it.each(['all', 'wallet', 'source'] as const)('beyond the budget of %s', async subject => {
    const limits = { ...test.relayer.limits, [subject]: { perMinute: 1n, perDay: toNano(1) } };
    const deps = { ...test.deps, relayer: () => ({ ...test.relayer, limits }) };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({ error: 'try-later' });
  });

  it('that costs more than was quoted', async () => {
    const dear = {
      ...test.relayer,
      emulator: {
        ...test.relayer.emulator,
        emulate: async (...call: Parameters<typeof test.relayer.emulator.emulate>) => {
          const emulation = await test.relayer.emulator.emulate(...call);
          const balanceOf = (address: string) => {
            const { before: then, after } = emulation.balanceOf(address);
            return { before: then, after: after - toNano('0.05') };
          };
          return { ...emulation, balanceOf };
        },
      },
    };
    const deps = { ...test.deps, relayer: () => dear };
    expect(await post({ ...test, deps }, await signedWith({}), user)).toMatchObject({ error: 'try-later' });
  });
});

/** A contract that sends coins to the relay wallet whenever it gets a message. */
async function giverOf(value: bigint): Promise<Address> {
  const given = beginCell()
    .store(storeMessageRelaxed(internal({ to: relay, value, bounce: false })))
    .endCell();
  // SETCP0; PUSHREF given; PUSHINT 1; SENDRAWMSG.
  const code = beginCell().storeBuffer(Buffer.from('ff008871fb00', 'hex')).storeRef(given).endCell();
  const init = { code, data: Cell.EMPTY };
  const to = contractAddress(0, init);
  await transfer(local.api, ISSUER, [internal({ to, value: toNano(1), init, bounce: false })]);
  before = await coinsOf(local, relay);
  return to;
}

it('a receiver that gives the relay wallet coins pays no less, since it may not do so in the end', async () => {
  const giver = await giverOf(toNano('0.08'));
  const more = { forwardValue: toNano('0.01') };
  const [given, usual] = await Promise.all(
    [giver, RECEIVER].map(to => quoteFor(test, local, { to, amount: AMOUNT, more })),
  );
  expect(given!.commission).toBeGreaterThanOrEqual(usual!.commission);
});

describe('no quote is given', () => {
  it.each<[string, () => Partial<Wanted>, string]>([
    ['for what is left for the user', () => ({ more: { response: user.contract.address } }), 'try-later'],
    ['for many coins', () => ({ value: toNano(1) }), 'try-later'],
    ['for coins that would not come back', () => ({ bounce: false }), 'try-later'],
    ['for many coins of the receiver', () => ({ more: { forwardValue: toNano('0.05') } }), 'try-later'],
    ['for too few coins to arrive', () => ({ value: toNano('0.001') }), 'try-later'],
    ['for nothing', () => ({ amount: 0n }), 'try-later'],
    [
      'for a jetton wallet of somebody else',
      () => ({ jettonWallet: local.jettonWalletOf(relay) }),
      'try-later',
    ],
    ['for the relay wallet', () => ({ wallet: local.relay }), 'try-later'],
    [
      'for a wallet without jettons',
      () => ({ wallet: localWallet('poor', 'v5r1', 'testnet') }),
      'not-enough',
    ],
    ['to the master', () => ({ to: Address.parse(`-1:${'0'.repeat(64)}`) }), 'try-later'],
  ])('%s', async (_, changed, error) =>
    expect(await ask(test, local, { to: RECEIVER, amount: AMOUNT, ...changed() })).toMatchObject({ error }),
  );

  it('for less than the commission', async () => {
    const small = localWallet('small', 'v5r1', 'testnet');
    await local.mint(small.contract.address, 1_000n);
    expect(await ask(test, local, { wallet: small, to: RECEIVER, amount: 999n })).toMatchObject({
      error: 'not-enough',
    });
  });

  it('while no rate is known', async () => {
    const relayer = { ...test.relayer, rateOf: () => Promise.resolve(null) };
    const deps = { ...test.deps, relayer: () => relayer };
    expect(await ask({ ...test, deps }, local, { to: RECEIVER, amount: AMOUNT })).toMatchObject({
      error: 'try-later',
    });
  });

  it('to a wallet that an extension controls too, until the extension is removed', async () => {
    const extended = await deployedWallet('extended');
    await changeExtension('createAddExtension', extended, 1);
    const wanted = { wallet: extended, to: RECEIVER, amount: AMOUNT };
    expect(await ask(test, local, wanted)).toMatchObject({ error: 'try-later' });
    await changeExtension('createRemoveExtension', extended, 2);
    expect(await ask(test, local, wanted)).toMatchObject({ wallet: extended.contract.address.toRawString() });
  });

  it.each(OTHER_WALLETS)('to %s of the key', async (_, contractOf) => {
    const wallet = { ...user, contract: contractOf(user) as LocalWallet['contract'] };
    await local.mint(wallet.contract.address, USER_JETTONS);
    expect(await ask(test, local, { wallet, to: RECEIVER, amount: AMOUNT })).toMatchObject({
      detail: 'no wallet v5 r1 of the key that its owner alone controls',
    });
  });
});
