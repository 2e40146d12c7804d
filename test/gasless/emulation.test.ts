import { type Address, type Cell, toNano } from '@ton/core';
import { sign } from '@ton/crypto';
import { GetMethodFailed } from '../../contracts/ports/ton-client';
import { CannotEmulate, type Emulation } from '../../contracts/ports/ton-emulator';
import { localWallet } from '../../infra/devnet/ton/wallets';
import { costOf, type RelayCost } from '../../services/gasless/estimate/emulated-transfer';
import { readJettonMessage } from '../../services/gasless/request/jetton-message';
import { NO_SIGNATURE, relayMessage } from '../../services/gasless/relay/relay-message';
import { walletV5, type Sign } from '../../services/wallet-v5/wallet-v5';
import { readSignedRequest } from '../../services/gasless/request/signed-request';
import { until } from '../until';
import {
  coinsOf,
  jettonsOf,
  signedByUser,
  startLocalRelay,
  USER_JETTONS,
  type LocalRelay,
  type SignedTerms,
} from './local-relay';

const RECEIVER = localWallet('receiver', 'v4r2', 'testnet').contract.address;
const COMMISSION = 70_000n;
const ATTACHED = toNano('0.13');

let local: LocalRelay;
beforeAll(async () => void (local = await startLocalRelay()));
afterAll(() => local.close());

it('reads what is in a jetton wallet, and nothing where there is none', async () => {
  const block = await local.client.getLastBlock();
  const jettonsIn = (address: Address): Promise<bigint> =>
    local.emulator.jettonsIn(address.toRawString(), block);
  const { address } = local.user.contract;
  expect(await jettonsIn(local.jettonWalletOf(address))).toBe(USER_JETTONS);
  expect(await jettonsIn(local.jettonWalletOf(RECEIVER))).toBe(0n);
  expect(await jettonsIn(local.relay.contract.address)).toBe(0n);
  expect(await jettonsIn(local.master)).toBe(0n);
});

it('knows the jetton wallet of an owner as the network does, and asks a node for what is no master', async () => {
  const block = await local.client.getLastBlock();
  const { emulator, client, master, relay } = local;
  for (const owner of [local.user.contract.address, RECEIVER]) {
    const wallet = await emulator.jettonWalletOf(master.toRawString(), owner.toRawString(), block);
    expect(wallet).toBe(local.jettonWalletOf(owner).toRawString());
    expect(wallet).toBe(await client.getJettonWallet(master.toRawString(), owner.toRawString()));
  }
  const none = emulator.jettonWalletOf(relay.contract.address.toRawString(), RECEIVER.toRawString(), block);
  await expect(none).rejects.toThrow(GetMethodFailed);
});

interface Sending {
  readonly seqno: number;
  readonly attached?: bigint;
  readonly sign?: Sign;
}

/** The message of the relay wallet that sends the user's request on. */
function relayed(body: Cell, { seqno, attached = ATTACHED, sign = NO_SIGNATURE }: Sending): Promise<Cell> {
  const { contract } = local.user;
  const wallet = walletV5(local.relay.keys.publicKey, 'testnet');
  const init = local.user.contract.init;
  const forwards = [{ wallet: contract.address.toRawString(), init, body, value: attached }];
  return relayMessage(wallet, { seqno, validUntil: 2_000_000_000, forwards }, sign);
}

const relayKey: Sign = hash => sign(hash, local.relay.keys.secretKey);

/** @param seen the emulation, in which something may be changed */
async function cost(
  body: Cell,
  terms: SignedTerms,
  attached?: bigint,
  seen: (emulation: Emulation) => Emulation = emulation => emulation,
): Promise<RelayCost | null> {
  const relay = local.relay.contract.address;
  const seqno = await seqnoOf(relay);
  const message = await relayed(body, { seqno, ...(attached !== undefined && { attached }) });
  const relayJettonWallet = local.jettonWalletOf(relay).toRawString();
  const emulation = await local.emulator.emulate(message, {
    unsigned: [relay.toRawString()],
    balances: [relay.toRawString()],
    receivers: [local.user.contract.address.toRawString()],
    jettonWallets: [relayJettonWallet],
  });
  const [target, commission] = readSignedRequest(body)!.messages;
  return costOf(seen(emulation), {
    relay: relay.toRawString(),
    wallet: local.user.contract.address.toRawString(),
    jettonWallet: local.jettonWalletOf(local.user.contract.address).toRawString(),
    relayJettonWallet,
    bodies: [readJettonMessage(target!.cell)!.body, readJettonMessage(commission!.cell)!.body],
    destination: terms.to.toRawString(),
    amount: terms.amount,
    commission: terms.commission,
  });
}

const emulated = async (terms: SignedTerms, attached?: bigint): Promise<RelayCost | null> =>
  cost(await signedByUser(local, terms), terms, attached);

async function seqnoOf(address: Address): Promise<number> {
  const { last } = await local.api.getLastBlock();
  const { account } = await local.api.getAccount(last.seqno, address);
  return account.state.type === 'active'
    ? Number((await local.api.runMethod(last.seqno, address, 'seqno')).reader.readNumber())
    : 0;
}

const terms = (changed: Partial<SignedTerms> = {}): SignedTerms => ({
  to: RECEIVER,
  amount: 1_000_000n,
  commission: COMMISSION,
  ...changed,
});

it('a transfer to the relayer itself brings it the amount and the commission', async () =>
  expect(await emulated(terms({ to: local.relay.contract.address }))).not.toBeNull());

it('all that the commission leaves can be sent', async () =>
  expect(await emulated(terms({ amount: USER_JETTONS - COMMISSION }))).not.toBeNull());

describe('has no cost, since it would not arrive', () => {
  it('more than the commission leaves', async () =>
    expect(await emulated(terms({ amount: USER_JETTONS - COMMISSION + 1n }))).toBeNull());

  it('a request with another seqno', async () => expect(await emulated(terms({ seqno: 1 }))).toBeNull());

  it('a request that has expired', async () =>
    expect(await emulated(terms({ validUntil: 1_000_000_000 }))).toBeNull());

  it('what the attached coins do not pay for: the wallet skips it, and ends without an error', async () =>
    expect(await emulated(terms(), toNano('0.08'))).toBeNull());

  it('a request by which the coins stay with the wallet', async () =>
    expect(await emulated(terms({ sendMode: 1, value: toNano('1') }))).toBeNull());

  it('a transfer that has too few coins to arrive', async () =>
    expect(await emulated(terms({ value: toNano('0.005') }))).toBeNull());

  it('a commission of which the jetton keeps a part', async () => {
    const taxed = (emulation: Emulation): Emulation => ({
      ...emulation,
      jettonsOf: () => ({ before: 0n, after: COMMISSION - 1n }),
    });
    expect(await cost(await signedByUser(local, terms()), terms(), undefined, taxed)).toBeNull();
  });

  it('messages of the wallet in another order', async () => {
    const reordered = (emulation: Emulation): Emulation => ({
      ...emulation,
      transactions: emulation.transactions.map(each =>
        each.parent === 0 ? { ...each, sent: [...each.sent].reverse() } : each,
      ),
    });
    expect(await cost(await signedByUser(local, terms()), terms(), undefined, reordered)).toBeNull();
  });

  it('a request that somebody else has signed', async () => {
    const body = await signedByUser(local, terms());
    const stranger = {
      ...local,
      user: { ...local.user, signer: () => Promise.resolve(Buffer.alloc(64, 1)) },
    };
    const forged = await signedByUser(stranger, terms());
    expect(await cost(body, terms())).not.toBeNull();
    expect(await cost(forged, terms())).toBeNull();
  });
});

it('cannot emulate what the relay wallet would reject', async () => {
  const body = await signedByUser(local, terms());
  const message = await relayed(body, { seqno: 7 });
  const unsigned = [local.relay.contract.address.toRawString()];
  await expect(local.emulator.emulate(message, { unsigned })).rejects.toThrow(CannotEmulate);
});

// Changes the network.
it('a user without coins sends jettons, at exactly the cost that was emulated', async () => {
  const relay = local.relay.contract.address;
  const body = await signedByUser(local, terms());
  const expected = await cost(body, terms());
  expect(expected).not.toBeNull();

  const before = await coinsOf(local, relay);
  const sent = await relayed(body, { seqno: 0, sign: relayKey });
  await local.client.sendMessage(sent.toBoc());
  await until(async () => (await seqnoOf(local.user.contract.address)) === 1);

  expect(await jettonsOf(local, RECEIVER)).toBe(1_000_000n);
  expect(await jettonsOf(local, relay)).toBe(COMMISSION);
  expect(await jettonsOf(local, local.user.contract.address)).toBe(USER_JETTONS - 1_000_000n - COMMISSION);
  const loss = before - (await coinsOf(local, relay));
  // Rent for the seconds that lie between the two.
  const rent = 10_000n;
  expect(loss - expected!.loss).toBeLessThan(rent);
  expect(expected!.loss - loss).toBeLessThan(rent);

  const second = await emulated(terms({ seqno: 1 }));
  // Nothing has to be deployed.
  expect(second!.loss).toBeLessThan(expected!.loss);
});
