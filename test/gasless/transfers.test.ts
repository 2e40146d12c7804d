import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, Cell, internal, toNano } from '@ton/core';
import { gaslessBudgetStream } from '../../contracts/events/gasless-budget';
import { gaslessSendStream } from '../../contracts/events/gasless-send';
import { mintlessJetton } from '../../infra/devnet/ton/mintless/mintless';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { gaslessBudgetKind } from '../../services/gasless/budget/decider';
import { gaslessSendKind, type GaslessSend } from '../../services/gasless/send/decider';
import type { Relayer } from '../../services/gasless/deps';
import { sendOn } from '../../services/gasless/relay/send-on';
import { load } from '../../services/commands/load';
import { coinsOf, jettonsOf, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import {
  ask,
  paying,
  post,
  quoteFor,
  rebuilt,
  signedCarrier,
  testRelayer,
  type TestRelayer,
} from './relayer';

let local: LocalRelay;
let test: TestRelayer;
beforeAll(async () => void (local = await startLocalRelay()));
beforeEach(() => void (test = testRelayer(local)));
afterEach(() => test.close());
afterAll(() => local.close());

let users = 0;
/** With jettons and no coins, and not deployed. */
async function newUser(jettons = USER_JETTONS): Promise<LocalWallet> {
  const user = localWallet(`user ${(users += 1)}`, 'v5r1', 'testnet');
  await local.mint(user.contract.address, jettons);
  return user;
}
const receiver = (): Address => localWallet(`receiver ${(users += 1)}`, 'v4r2', 'testnet').contract.address;

const refOf = (user: LocalWallet, seqno = 0) => ({
  network: 'testnet' as const,
  wallet: user.contract.address.toRawString(),
  seqno,
});
const sendOf = (user: LocalWallet, seqno = 0): Promise<GaslessSend | null> =>
  load(test.store, gaslessSendKind, gaslessSendStream(refOf(user, seqno)));

/** @returns whether there is nothing more to do for the request */
const step = async (user: LocalWallet, seqno = 0, client: Relayer['client'] = test.relayer.client) =>
  (await sendOn(test.deps, { ...test.relayer, client }, [refOf(user, seqno)])).length > 0;

/** Works on a request until there is nothing more to do. */
async function work(user: LocalWallet, seqno = 0): Promise<void> {
  while (!(await step(user, seqno))) await sleep(50);
  // Until the jettons have arrived: the network has no blocks without messages.
  await local.devnet.simulation.produceBlock();
}

it('a wallet without coins sends what its user typed, however often the application posts it', async () => {
  const user = await newUser();
  const to = receiver();
  const typed = 1_000_000n;
  const quote = await quoteFor(test, local, { wallet: user, to, amount: typed - 1n });
  const boc = await signedCarrier(quote, { wallet: user, seqno: 0, amount: typed });
  const before = await coinsOf(local, local.relay.contract.address);
  const paidBefore = await jettonsOf(local, local.relay.contract.address);
  for (let posts = 0; posts < 8; posts++) expect(await post(test, boc, user)).toBeNull();
  await work(user);
  for (let posts = 0; posts < 7; posts++) expect(await post(test, boc, user)).toBeNull();
  await work(user);

  expect(await jettonsOf(local, to)).toBe(typed);
  expect(await jettonsOf(local, user.contract.address)).toBe(USER_JETTONS - typed - quote.commission);
  expect((await jettonsOf(local, local.relay.contract.address)) - paidBefore).toBe(quote.commission);
  const { accepted, step, bodies } = (await sendOf(user))!;
  expect([step, bodies.length]).toEqual(['relayed', 1]);
  const lost = before - (await coinsOf(local, local.relay.contract.address));
  // Three units for a TON: the commission is worth more than what the relayer lost.
  expect(lost * 3n).toBeLessThan(quote.commission * 1_000n);
  // Rent for the seconds in between.
  expect(lost - BigInt(accepted.loss)).toBeLessThan(10_000n);
});

describe.each([
  ['without', 1n],
  // The code of the receiver runs. That of a jetton wallet or a master fails: the jettons are there by then.
  ['with', toNano('0.01')],
])('%s coins for what the receiver does,', (_, forwardValue) =>
  it.each<[string, (user: LocalWallet) => Address]>([
    ['the jetton wallet of the user', user => local.jettonWalletOf(user.contract.address)],
    ['the jetton wallet of the relayer', () => local.jettonWalletOf(local.relay.contract.address)],
    ['the master', () => local.master],
    ['the relayer', () => local.relay.contract.address],
    ['the user', user => user.contract.address],
  ])('the relayer has its commission of a transfer to %s', async (__, receiverOf) => {
    const user = await newUser();
    const [to, relay, amount] = [receiverOf(user), local.relay.contract.address, 1_000n];
    const held = () => Promise.all([to, relay, user.contract.address].map(owner => jettonsOf(local, owner)));
    const [before, coins] = [await held(), await coinsOf(local, relay)];
    const quote = await quoteFor(test, local, { wallet: user, to, amount, more: { forwardValue } });
    expect(await post(test, await signedCarrier(quote, { wallet: user, seqno: 0 }), user)).toBeNull();
    await work(user);
    const changes = (await held()).map((balance, at) => balance - before[at]!);
    const owners = [to, relay, user.contract.address];
    expect(changes).toEqual(
      owners.map(
        owner =>
          (owner.equals(to) ? amount : 0n) +
          (owner.equals(relay) ? quote.commission : 0n) -
          (owner.equals(user.contract.address) ? amount + quote.commission : 0n),
      ),
    );
    expect((coins - (await coinsOf(local, relay))) * 3n).toBeLessThan(quote.commission * 1_000n);
  }),
);

it('a wallet that has coins and is not deployed is deployed by its transfer', async () => {
  const [user, to] = [await newUser(), receiver()];
  await local.devnet.faucet(user.contract.address.toRawString(), toNano(1));
  const quote = await quoteFor(test, local, { wallet: user, to, amount: 1_000n });
  expect(await post(test, await signedCarrier(quote, { wallet: user, seqno: 0 }), user)).toBeNull();
  await work(user);
  expect(await jettonsOf(local, to)).toBe(1_000n);
});

it('what was signed is accepted once, with the state of the wallet and without', async () => {
  const [user, to] = [await newUser(), receiver()];
  await local.devnet.faucet(user.contract.address.toRawString(), toNano(1));
  await transfer(local.api, user, [internal({ to, value: 1n })]);
  const quote = await quoteFor(test, local, { wallet: user, to, amount: 1_000n });
  const [withState, without] = await Promise.all(
    [true, false].map(state =>
      signedCarrier(quote, { wallet: user, seqno: 1, withState: state, validUntil: quote.validUntil }),
    ),
  );
  expect(withState!.equals(without!)).toBe(false);
  for (const boc of [withState!, without!, withState!]) expect(await post(test, boc, user)).toBeNull();
  await work(user, 1);
  for (const boc of [withState!, without!]) expect(await post(test, boc, user)).toBeNull();
  await work(user, 1);
  expect(await jettonsOf(local, to)).toBe(1_000n);
  expect((await sendOf(user, 1))!.bodies).toHaveLength(1);
});

it('of two quotes that a wallet signs for the same seqno the first that is posted is carried out', async () => {
  const [user, to] = [await newUser(), receiver()];
  const [first, second] = await Promise.all(
    [1_000n, 2_000n].map(async amount =>
      signedCarrier(await quoteFor(test, local, { wallet: user, to, amount }), { wallet: user, seqno: 0 }),
    ),
  );
  expect(await post(test, first!, user)).toBeNull();
  expect(await post(test, second!, user)).toMatchObject({ error: 'cooldown' });
  await work(user);
  expect(await post(test, second!, user)).not.toBeNull();
  expect(await jettonsOf(local, to)).toBe(1_000n);
});

it('fifty estimates of a wallet at once reserve nothing, and each is a quote that it may use', async () => {
  const [user, to] = [await newUser(), receiver()];
  const coins = await coinsOf(local, local.relay.contract.address);
  const quotes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      quoteFor(test, local, { wallet: user, to, amount: 1_050n - BigInt(n) }),
    ),
  );
  const subject = `wallet:${user.contract.address.toRawString()}`;
  expect(await load(test.store, gaslessBudgetKind, gaslessBudgetStream('testnet', subject))).toBeNull();
  expect(await coinsOf(local, local.relay.contract.address)).toBe(coins);
  expect(await post(test, await signedCarrier(quotes[0]!, { wallet: user, seqno: 0 }), user)).toBeNull();
  await work(user);
  expect(await jettonsOf(local, to)).toBe(1_050n);
});

it('what is posted many times at once, or signed again for the same seqno, has coins reserved once', async () => {
  const user = await newUser();
  const quote = await quoteFor(test, local, { wallet: user, to: receiver(), amount: 1_000n });
  const now = Math.floor(Date.now() / 1_000);
  const [first, ...others] = await Promise.all(
    [300, 310, 320, 330].map(seconds =>
      signedCarrier(quote, { wallet: user, seqno: 0, validUntil: now + seconds }),
    ),
  );
  const answers = await Promise.all(
    [first!, first!, first!, first!, ...others].map(boc => post(test, boc, user)),
  );
  expect(answers.slice(0, 4)).toEqual([null, null, null, null]);
  expect(answers.slice(4).map(answer => answer?.error)).toEqual(['cooldown', 'cooldown', 'cooldown']);
  const subject = `wallet:${user.contract.address.toRawString()}`;
  const budget = await load(test.store, gaslessBudgetKind, gaslessBudgetStream('testnet', subject));
  expect(budget!.inDay).toBe((await sendOf(user))!.accepted.attached);
});

it('the wallet sends all that it has, and again with its next seqno', async () => {
  const user = await newUser();
  const to = receiver();
  const first = await quoteFor(test, local, { wallet: user, to, amount: 999_999n });
  await post(test, await signedCarrier(first, { wallet: user, seqno: 0, amount: 1_000_000n }), user);
  await work(user);

  const balance = await jettonsOf(local, user.contract.address);
  const all = await quoteFor(test, local, { wallet: user, to, amount: balance - 1n });
  const rest = balance - all.commission;
  expect(
    await post(test, await signedCarrier(all, { wallet: user, seqno: 1, amount: rest }), user),
  ).toBeNull();
  await work(user, 1);
  expect(await jettonsOf(local, user.contract.address)).toBe(0n);
  expect(await jettonsOf(local, to)).toBe(1_000_000n + rest);
});

it('an earlier quote can be used after a later one', async () => {
  const user = await newUser();
  const to = receiver();
  const quote = await quoteFor(test, local, { wallet: user, to, amount: 2_000_000n });
  await quoteFor(test, local, { wallet: user, to, amount: 1_000n });
  expect(await post(test, await signedCarrier(quote, { wallet: user, seqno: 0 }), user)).toBeNull();
});

it('a worker that ends after it has signed sends the same bytes again, and nothing else', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const to = receiver();
  for (const wallet of [user, other]) {
    const quote = await quoteFor(test, local, { wallet, to, amount: 1_000n });
    expect(await post(test, await signedCarrier(quote, { wallet, seqno: 0 }), wallet)).toBeNull();
  }
  const sent: string[] = [];
  let isLost = true;
  const client = {
    ...test.relayer.client,
    async sendMessage(boc: Buffer) {
      sent.push(boc.toString('hex'));
      if (isLost) throw new Error('the worker has ended');
      await test.relayer.client.sendMessage(boc);
    },
  };
  await step(user, 0, client);
  await step(other, 0, client);
  await step(user, 0, client);
  expect(new Set(sent).size).toBe(1);
  isLost = false;
  while (!(await step(user, 0, client))) await sleep(50);
  expect(new Set(sent).size).toBe(1);
  while (!(await step(other, 0, client))) await sleep(50);
  expect(new Set(sent).size).toBe(2);
  await local.devnet.simulation.produceBlock();
  expect(await jettonsOf(local, to)).toBe(2_000n);
});

it('many workers at once send each request once', async () => {
  const wallets = [await newUser(), await newUser(), await newUser()];
  const to = receiver();
  for (const wallet of wallets) {
    const quote = await quoteFor(test, local, { wallet, to, amount: 1_000n });
    await post(test, await signedCarrier(quote, { wallet, seqno: 0 }), wallet);
  }
  const messages = new Set<string>();
  const client = {
    ...test.relayer.client,
    async sendMessage(boc: Buffer) {
      messages.add(boc.toString('hex'));
      await test.relayer.client.sendMessage(boc);
    },
  };
  const worker = async (wallet: LocalWallet): Promise<void> => {
    while (!(await step(wallet, 0, client))) await sleep(20);
  };
  await Promise.all([...wallets, ...wallets, ...wallets].map(worker));
  await local.devnet.simulation.produceBlock();
  expect(messages.size).toBe(wallets.length);
  expect(await jettonsOf(local, to)).toBe(3_000n);
});

it('a message of the relay wallet that has expired is never signed again before a later block shows it', async () => {
  const user = await newUser();
  const to = receiver();
  const quote = await quoteFor(test, local, { wallet: user, to, amount: 1_000n });
  expect(await post(test, await signedCarrier(quote, { wallet: user, seqno: 0 }), user)).toBeNull();
  const down = { ...test.relayer.client, sendMessage: () => Promise.reject(new Error('down')) };
  await step(user, 0, down);

  // Then the message has expired, and the user's request has not: another is signed and arrives.
  await local.devnet.advanceTime(200);
  await work(user);
  expect(await jettonsOf(local, to)).toBe(1_000n);
  expect((await sendOf(user))?.step).toBe('relayed');
});

it('a request that expires before it could be sent on costs nothing, and the wallet may sign another', async () => {
  const user = await newUser();
  const to = receiver();
  const quote = await quoteFor(test, local, { wallet: user, to, amount: 1_000n });
  const { now } = await local.client.getLastBlock();
  const signing = { wallet: user, seqno: 0, validUntil: now + 60 };
  expect(await post(test, await signedCarrier(quote, signing), user)).toBeNull();
  const other = await signedCarrier(quote, { ...signing, amount: 500n });
  expect(await post(test, other, user)).toMatchObject({ error: 'cooldown' });
  expect(await ask(test, local, { wallet: user, to, amount: 1_000n })).toMatchObject({ error: 'cooldown' });

  const before = await coinsOf(local, local.relay.contract.address);
  await local.devnet.advanceTime(70);
  await work(user);
  expect((await sendOf(user))?.step).toBe('expired');
  expect(await coinsOf(local, local.relay.contract.address)).toBe(before);
  const again = { ...signing, amount: 500n, validUntil: now + 300 };
  expect(await post(test, await signedCarrier(quote, again), user)).toBeNull();
  await work(user);
  expect(await jettonsOf(local, to)).toBe(500n);
});

it('a request waits while the relay wallet has no more than has to stay there', async () => {
  const user = await newUser();
  const to = receiver();
  const quote = await quoteFor(test, local, { wallet: user, to, amount: 1_000n });
  expect(await post(test, await signedCarrier(quote, { wallet: user, seqno: 0 }), user)).toBeNull();
  const coins = await coinsOf(local, local.relay.contract.address);
  const enough = coins - BigInt((await sendOf(user))!.accepted.attached);
  const sent: Buffer[] = [];
  const client = {
    ...test.relayer.client,
    sendMessage: (boc: Buffer) => Promise.resolve(void sent.push(boc)),
  };
  const low = { ...test.relayer, client, minBalance: enough + 1n };
  for (let rounds = 0; rounds < 2; rounds++) expect(await sendOn(test.deps, low, [refOf(user)])).toEqual([]);
  expect(sent).toEqual([]);
  await sendOn(test.deps, { ...low, minBalance: enough }, [refOf(user)]);
  expect(sent).toHaveLength(1);
  await work(user);
  expect(await jettonsOf(local, to)).toBe(1_000n);
});

it('a node that is behind has nothing signed, and nothing ends twice', async () => {
  const [user, next] = [await newUser(), await newUser()];
  const to = receiver();
  for (const wallet of [user, next]) {
    const quote = await quoteFor(test, local, { wallet, to, amount: 1_000n });
    expect(await post(test, await signedCarrier(quote, { wallet, seqno: 0 }), wallet)).toBeNull();
  }
  const before = await local.client.getLastBlock();
  await work(user);
  const sent: Buffer[] = [];
  const behind = {
    ...test.relayer.client,
    getLastBlock: () => Promise.resolve(before),
    sendMessage: (boc: Buffer) => Promise.resolve(void sent.push(boc)),
  };
  expect(await step(next, 0, behind)).toBe(false);
  expect(await step(user, 0, behind)).toBe(true);
  expect(sent).toEqual([]);
  await work(next);
  expect(await jettonsOf(local, to)).toBe(2_000n);
});

it('a mintless jetton is claimed by the transfer, and its commission is paid from what was claimed', async () => {
  const user = localWallet('claimant', 'v5r1', 'testnet');
  const owner = user.contract.address;
  const jetton = mintlessJetton(Cell.EMPTY, [
    [owner, USER_JETTONS],
    [receiver(), 1n],
  ]);
  const issuer = localWallet('issuer', 'v5r1', 'testnet');
  await transfer(local.api, issuer, [internal({ to: jetton.address, value: '0.2', init: jetton.init })]);
  test = testRelayer(local, { jettons: () => Promise.resolve([paying(jetton.address)]) });

  const { customPayload, stateInit } = jetton.claimOf(owner)!;
  const to = receiver();
  const wanted = { wallet: user, to, amount: 999_999n, master: jetton.address, value: toNano('0.15') };
  const jettonWallet = jetton.walletOf(owner);
  const quote = await quoteFor(test, local, {
    ...wanted,
    jettonWallet,
    init: stateInit,
    more: { customPayload },
  });
  const boc = await signedCarrier(quote, { wallet: user, seqno: 0, amount: 1_000_000n });
  expect(await post(test, boc, user)).toBeNull();
  await work(user);

  const held = async (of: Address): Promise<bigint> => {
    const { seqno } = await local.client.getLastBlock();
    const wallet = jetton.walletOf(of).toRawString();
    return (await local.client.runMethod(seqno, wallet, 'get_wallet_data')).readBigNumber();
  };
  expect(await held(to)).toBe(1_000_000n);
  expect(await held(local.relay.contract.address)).toBe(quote.commission);
  expect(await held(owner)).toBe(USER_JETTONS - 1_000_000n - quote.commission);

  // What was claimed is not there a second time: neither the same quote nor a new one is for that.
  const rest = await held(owner);
  const before = await coinsOf(local, local.relay.contract.address);
  const twice = await signedCarrier(quote, { wallet: user, seqno: 1 });
  expect(await post(test, twice, user)).toMatchObject({ error: 'try-later' });
  const claimed = { ...wanted, jettonWallet, init: stateInit, more: { customPayload } };
  expect(await ask(test, local, claimed)).toMatchObject({ error: 'try-later' });
  const plain = await quoteFor(test, local, { ...wanted, jettonWallet });
  expect(await post(test, await signedCarrier(plain, { wallet: user, seqno: 1 }), user)).toBeNull();
  expect([await held(owner), await coinsOf(local, local.relay.contract.address)]).toEqual([rest, before]);
  await work(user, 1);
  expect(await held(owner)).toBe(rest - 999_999n - plain.commission);
});

it('what was signed is what was quoted', async () => {
  const user = await newUser();
  const quote = await quoteFor(test, local, { wallet: user, to: receiver(), amount: 1_000n });
  expect(rebuilt(quote)[1]!.body.beginParse().skip(96).loadCoins()).toBe(quote.commission);
});
