import { isBehind } from '../../../contracts/chain/ton-block-age';
import { gaslessBudgetStream } from '../../../contracts/events/gasless-budget';
import { gaslessQuoteStream, type GaslessQuoted } from '../../../contracts/events/gasless-quote';
import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import type { TonNetwork } from '../../../contracts/network/network';
import { load } from '../../commands/load';
import { gaslessBudgetKind } from '../budget/decider';
import { chainTime } from '../chain-time';
import {
  isRefusal,
  refusal,
  unsupported,
  type BudgetSubject,
  type GaslessDeps,
  type GaslessRefusal,
  type Relayer,
} from '../deps';
import type { RelayCost } from '../estimate/emulated-transfer';
import { tryTransfer } from '../estimate/try-transfer';
import { codeFault } from '../jettons/code-fault';
import { payableJetton } from '../jettons/list';
import { gaslessQuoteKind, isValid } from '../quote/decider';
import { mismatchOf } from '../quote/mismatch';
import { quoteKeyOf, type Quote } from '../quote/quote';
import { relayAddress } from '../relay/relay-account';
import { walletV5 } from '../../wallet-v5/wallet-v5';
import type { Carrier } from '../request/carrier';
import { jettonBalance } from '../request/jetton-balance';
import { hashesOf } from '../request/hashes';
import { readJettonMessage, type JettonMessage } from '../request/jetton-message';
import type { SignedRequest } from '../request/signed-request';
import { verifiedRequest } from '../request/verified-request';
import { walletAccount, type WalletAccount } from '../request/wallet-account';
import { snapshotOf } from '../snapshot';
import { gaslessSendKind, isInFlight } from './decider';
import { createWalletMutex } from '../wallet-mutex';
import { hasArrived, isSettled } from './settled';
import { faultOfValidity } from './validity';

export interface SendRequest {
  readonly network: TonNetwork;
  /** Hex. */
  readonly publicKey: string;
  readonly carrier: Carrier;
  /** Where the call comes from, a pseudonym. */
  readonly source: string;
}

/** Percent by which a transfer may cost more than when it was quoted: the margin of the commission pays for it. */
const MAX_RISE_PERCENT = 10n;

type Checked<Value> = Value | GaslessRefusal;

/** Only what is accepted has coins reserved. */
const sendInTurn = createWalletMutex();

/**
 * Takes on a request of a wallet: every check in its order, then the budget, then the event after which it will be sent. The
 * same request again is accepted again, in any message, and changes nothing.
 * @returns null where it is accepted
 */
export async function acceptSend(deps: GaslessDeps, request: SendRequest): Promise<GaslessRefusal | null> {
  const { network, publicKey, carrier, source } = request;
  const relayer = deps.relayer(network);
  if (!relayer) return refusal('try-later', 'the network has no relayer');
  const signed = signedBy(carrier, publicKey, relayer);
  if (isRefusal(signed)) return signed;
  return sendInTurn({ network, wallet: carrier.wallet }, source, async () => {
    const refused = await acceptSigned(deps, relayer, request, signed);
    // Another process may have been posted the same, and have sent it on since this one has looked.
    return refused && (await isAccepted(deps, request, signed)) ? null : refused;
  });
}

async function isAccepted(
  { store }: Pick<GaslessDeps, 'store'>,
  { network, carrier: { wallet } }: SendRequest,
  { seqno, bodyHash }: SignedRequest,
): Promise<boolean> {
  const send = await load(store, gaslessSendKind, gaslessSendStream({ network, wallet, seqno }));
  return send?.bodies.includes(bodyHash) === true;
}

async function acceptSigned(
  deps: GaslessDeps,
  found: Relayer,
  { network, publicKey, carrier, source }: SendRequest,
  signed: SignedRequest,
): Promise<GaslessRefusal | null> {
  const { wallet, init } = carrier;
  const stream = gaslessSendStream({ network, wallet, seqno: signed.seqno });
  const [earlier, arrived] = await Promise.all([
    load(deps.store, gaslessSendKind, stream),
    // Before the states are read: those of earlier blocks do not have what has arrived since.
    hasArrived(deps, { network, wallet, seqno: signed.seqno }),
  ]);
  if (earlier?.bodies.includes(signed.bodyHash)) return null;
  if (isInFlight(earlier)) return refusal('cooldown', 'another request is in flight');

  const relayer = await snapshotOf(found);
  const now = deps.clock();
  const block = await relayer.client.getLastBlock();
  if (isBehind(block, now)) return refusal('try-later', 'the nodes are behind');
  const fault = faultOfValidity(signed.validUntil, chainTime(block, now));
  if (fault) return refusal('try-later', fault);
  const [account, quoted, settled, relay] = await Promise.all([
    accountFor(relayer, carrier, signed, publicKey),
    quoteFor(deps, relayer, wallet, signed, now),
    arrived || isSettled(relayer, wallet),
    relayer.client.getAccount(block.seqno, relayAddress(relayer)),
  ]);
  if (isRefusal(account)) return account;
  if (isRefusal(quoted)) return quoted;
  if (!settled) return refusal('try-later', 'the wallet has carried out another request a moment ago');

  const { quote, recorded, target } = quoted;
  const attached = BigInt(recorded.attached);
  const available = relay.balance - relayer.minBalance;
  if (attached > available) return refusal('try-later', 'the relay wallet is low');
  const cost = await costFor(relayer, carrier, account, quoted);
  if (isRefusal(cost)) return cost;
  const reservation = { wallet, source, bodyHash: signed.bodyHash, attached, available, now };
  const budget = await reserve(deps, relayer, reservation);
  if (budget) return budget;

  const boc = (cell: { toBoc(): Buffer }): string => cell.toBoc().toString('base64');
  const outcome = await deps.handle(gaslessSendKind, stream, {
    type: 'accept',
    request: {
      network,
      wallet,
      seqno: signed.seqno,
      bodyHash: signed.bodyHash,
      carrierHash: carrier.hash,
      hashes: hashesOf(carrier),
      source,
      quoteKey: recorded.quoteKey,
      relay: quote.relay,
      master: recorded.master,
      destination: target.transfer.destination,
      amount: target.transfer.amount.toString(),
      commission: recorded.commission,
      attached: recorded.attached,
      loss: cost.loss.toString(),
      rate: { units: recorded.rate.units, nanotons: recorded.rate.nanotons },
      body: boc(carrier.body),
      init: account.isNew && init ? { code: boc(init.code), data: boc(init.data) } : null,
      validUntil: signed.validUntil,
    },
    metadata: { now: now.toISOString(), actor: 'gasless' },
  });
  return outcome.refusal && refusal('cooldown', outcome.refusal.detail);
}

/** What does not depend on the chain: the form, the key and the signature. */
function signedBy({ wallet, body }: Carrier, publicKey: string, relayer: Relayer): Checked<SignedRequest> {
  const owner = Buffer.from(publicKey, 'hex');
  if (walletV5(owner, relayer.network).address.toRawString() !== wallet)
    return refusal('try-later', 'not the wallet of the key');
  if (relayAddress(relayer) === wallet) return refusal('try-later', 'the wallet is the relayer');
  return verifiedRequest(body, owner);
}

async function accountFor(
  relayer: Relayer,
  { wallet, init }: Carrier,
  { walletId, seqno }: SignedRequest,
  publicKey: string,
): Promise<Checked<WalletAccount>> {
  const account = await walletAccount(relayer, wallet, publicKey);
  if (!account) return refusal('try-later', 'no wallet v5 r1 of the key that its owner alone controls');
  if (account.isNew && !init) return refusal('try-later', 'the wallet does not exist');
  if (walletId !== account.state.walletId) return refusal('try-later', 'another wallet id');
  return seqno === account.state.seqno ? account : refusal('try-later', 'another seqno');
}

interface Quoted {
  readonly quote: Quote;
  readonly recorded: GaslessQuoted['data'];
  readonly target: JettonMessage;
}

/** The quote that covers what was signed, which names it by its content. */
async function quoteFor(
  { store }: GaslessDeps,
  relayer: Relayer,
  wallet: string,
  { messages }: SignedRequest,
  now: Date,
): Promise<Checked<Quoted>> {
  const { network, client } = relayer;
  const read = messages.map(({ mode, cell }) => ({ mode, message: readJettonMessage(cell) }));
  const [target, paid] = read.map(({ message }) => message);
  if (!target || !paid) return refusal('try-later', 'not the messages of a quote');
  const relay = relayAddress(relayer);
  const terms = { wallet, jettonWallet: target.to, relay, commission: paid.transfer.amount, target };
  const recorded = await load(store, gaslessQuoteKind, gaslessQuoteStream(network, quoteKeyOf(terms)));
  if (!recorded || !isValid(recorded, now.toISOString())) return refusal('try-later', 'no valid quote');
  const jetton = await payableJetton(relayer, recorded.master);
  if (!jetton) return unsupported('the jetton is not listed any more, or paused');

  const [jettonWallet, balance, otherCode] = await Promise.all([
    client.getJettonWallet(recorded.master, wallet),
    jettonBalance(relayer, target),
    codeFault(relayer, jetton, target),
  ]);
  const amount = BigInt(recorded.amount);
  const quote: Quote = {
    ...terms,
    jettonWallet,
    target: { ...target, transfer: { ...target.transfer, amount } },
    validUntil: recorded.validUntil,
  };
  const mismatch = mismatchOf(quote, read, balance);
  if (mismatch === 'amount_above_balance') return refusal('not-enough', mismatch);
  if (mismatch) return refusal('try-later', mismatch);
  return otherCode ?? { quote, recorded, target };
}

/** Emulated as it will be sent, on the newest states, after everything that needs no emulation. */
async function costFor(
  relayer: Relayer,
  { wallet, init, body }: Carrier,
  { isNew }: WalletAccount,
  { quote, recorded, target }: Quoted,
): Promise<Checked<RelayCost>> {
  const cost = await tryTransfer(relayer, {
    master: recorded.master,
    target,
    commission: quote.commission,
    forward: { wallet, init: isNew ? init : null, body, value: BigInt(recorded.attached) },
  });
  if (!cost) return refusal('try-later', 'the transfer would not arrive');
  const max = (BigInt(recorded.loss) * (100n + MAX_RISE_PERCENT)) / 100n;
  return cost.loss <= max ? cost : refusal('try-later', 'it costs more than was quoted');
}

interface Reservation {
  readonly wallet: string;
  readonly source: string;
  readonly bodyHash: string;
  /** Nanotons: all that may be lost. */
  readonly attached: bigint;
  /** Nanotons of the relay wallet above those that stay in it. */
  readonly available: bigint;
  readonly now: Date;
}

/**
 * Of everybody, of the wallet and of where the call comes from. What is reserved stays so, whatever happens then. In a minute no more
 * is than the relay wallet can pay, since what was accepted a moment ago is not taken from its balance yet. What was accepted in the
 * minutes before, and is in no block yet, comes on top: it waits for coins, since no message is signed for more than there is.
 */
async function reserve(
  { handle }: GaslessDeps,
  { network, limits }: Relayer,
  { wallet, source, bodyHash, attached, available, now }: Reservation,
): Promise<GaslessRefusal | null> {
  const { perMinute, perDay } = limits.all;
  const ofAll = { perMinute: available < perMinute ? available : perMinute, perDay };
  const subjects: readonly (readonly [BudgetSubject, string])[] = [
    ['source', `source:${source}`],
    ['wallet', `wallet:${wallet}`],
    ['all', 'all'],
  ];
  for (const [kind, subject] of subjects) {
    const { refusal: refused } = await handle(gaslessBudgetKind, gaslessBudgetStream(network, subject), {
      type: 'reserve',
      network,
      subject,
      bodyHash,
      nanotons: attached,
      limits: kind === 'all' ? ofAll : limits[kind],
      metadata: { now: now.toISOString(), actor: 'gasless' },
    });
    if (!refused) continue;
    return refusal(refused.code === 'gasless_cooldown' ? 'cooldown' : 'try-later', refused.detail);
  }
  return null;
}
