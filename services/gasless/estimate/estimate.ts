import { beginCell, type Cell, internal, SendMode, Address, loadStateInit } from '@ton/core';
import { gaslessQuoteStream } from '../../../contracts/events/gasless-quote';
import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import { GetMethodFailed } from '../../../contracts/ports/ton-client';
import type { TonNetwork } from '../../../contracts/network/network';
import { load } from '../../load';
import { refusal, type GaslessDeps, type GaslessRefusal, type Relayer } from '../deps';
import { commissionFor } from '../quote/commission';
import { gaslessQuoteKind } from '../quote/decider';
import { COMMISSION_VALUE, commissionBody, quoteKeyOf, type Quote } from '../quote/quote';
import { NO_SIGNATURE, walletV5 } from '../relay/relay-message';
import type { JettonMessage } from '../request/jetton-message';
import { walletAccount, type WalletAccount } from '../request/wallet-account';
import { gaslessSendKind, isInFlight } from '../send/decider';
import { tryTransfer } from './try-transfer';

export interface EstimateRequest {
  readonly network: TonNetwork;
  /** Raw. */
  readonly wallet: string;
  /** Hex. */
  readonly publicKey: string;
  /** Raw. */
  readonly master: string;
  /** The transfer that the user wants. */
  readonly target: JettonMessage;
}

/** Seconds. */
const QUOTE_VALID_FOR = 240;
/** Nanotons: more than any transfer needs, of which what is not used comes back or stays with the wallet. */
const MAX_VALUE = 300_000_000n;
const MAX_FORWARD = 10_000_000n;
/** Beyond what its messages take, for the first look at what a wallet uses. */
const PROBE = 50_000_000n;
/** Beyond what the wallet used then: rent of the minutes until the send. */
const CUSHION = 1_000_000n;

export interface EstimateDeps extends Pick<GaslessDeps, 'relayer' | 'store' | 'handle' | 'clock'> {}

/** What a transfer costs in its jetton, and what the wallet has to sign for it. The quote is recorded before it is given. */
export async function estimate(
  deps: EstimateDeps,
  { network, wallet, publicKey, master, target }: EstimateRequest,
): Promise<Quote | GaslessRefusal> {
  const relayer = deps.relayer(network);
  if (!relayer?.jettons.includes(master)) return refusal('try-later', 'the jetton is not listed');
  const relay = walletV5(relayer.key.publicKey, network).address.toRawString();
  const fault = faultOf(target, wallet, relay);
  if (fault) return refusal('try-later', fault);
  const rate = await relayer.rateOf(master);
  if (!rate) return refusal('try-later', 'no rate is known');

  const account = await walletAccount(relayer, wallet, publicKey);
  if (!account) return refusal('try-later', 'no wallet v5 r1 of the key that its owner alone controls');
  const jettonWallet = await relayer.client.getJettonWallet(master, wallet);
  if (target.to !== jettonWallet) return refusal('try-later', 'the message is not to the jetton wallet');
  const { seqno } = account.state;
  const running = await load(deps.store, gaslessSendKind, gaslessSendStream({ network, wallet, seqno }));
  if (isInFlight(running)) return refusal('cooldown', 'another request is in flight');

  const balance = await jettonBalance(relayer, target);
  if (balance !== null && balance < 2n) return refusal('not-enough', 'the wallet has no jettons');
  const cost = await probe(relayer, { account, wallet, publicKey, master, target, balance });
  if (!cost) return refusal('try-later', 'the transfer would not arrive');
  const commission = commissionFor(cost.loss, { ...relayer.terms, rate });
  if (balance !== null && commission >= balance) return refusal('not-enough', 'less than the commission');

  const now = deps.clock();
  const validUntil = Math.floor(now.getTime() / 1_000) + QUOTE_VALID_FOR;
  const quote: Quote = { wallet, jettonWallet, relay, target, commission, validUntil };
  const quoteKey = quoteKeyOf(quote);
  await deps.handle(gaslessQuoteKind, gaslessQuoteStream(network, quoteKey), {
    quote: {
      ...{ network, quoteKey, wallet, master, relay, seqno, validUntil },
      amount: target.transfer.amount.toString(),
      commission: commission.toString(),
      attached: cost.attached.toString(),
      loss: cost.loss.toString(),
      rate: { units: rate.units.toString(), nanotons: rate.nanotons.toString(), at: rate.at },
    },
    metadata: { now: now.toISOString(), actor: 'gasless' },
  });
  return quote;
}

/** Why a transfer is none that the relayer pays for. */
function faultOf(target: JettonMessage, wallet: string, relay: string): string | null {
  const { value, bounce, transfer } = target;
  if (wallet === relay) return 'the wallet is the relayer';
  if (transfer.response !== relay) return 'what is left is not for the relayer';
  if (!bounce || value > MAX_VALUE || transfer.forwardAmount > MAX_FORWARD) return 'too many coins';
  return transfer.amount === 0n ? 'nothing is sent' : null;
}

/** Null for a mintless jetton that is claimed by this very transfer: what can be claimed is not there yet. */
export async function jettonBalance(
  { client }: Relayer,
  { to, transfer }: JettonMessage,
): Promise<bigint | null> {
  if (transfer.customPayload) return null;
  try {
    const { seqno } = await client.getLastBlock();
    return (await client.runMethod(seqno, to, 'get_wallet_data')).readBigNumber();
  } catch (error) {
    if (error instanceof GetMethodFailed) return 0n;
    throw error;
  }
}

interface Probed {
  readonly account: WalletAccount;
  readonly wallet: string;
  readonly publicKey: string;
  readonly master: string;
  readonly target: JettonMessage;
  readonly balance: bigint | null;
}

/** Emulates it twice: with more coins than it needs, and with what it then used. */
async function probe(
  relayer: Relayer,
  { account, wallet, publicKey, master, target, balance }: Probed,
): Promise<{ readonly attached: bigint; readonly loss: bigint } | null> {
  const commission = 1n;
  const tried =
    balance === null ? target : withAmount(target, atMost(target.transfer.amount, balance - commission));
  const contract = walletV5(Buffer.from(publicKey, 'hex'), relayer.network);
  const relay = walletV5(relayer.key.publicKey, relayer.network).address.toRawString();
  const { now } = await relayer.client.getLastBlock();
  const body = await contract.createTransfer({
    authType: 'internal',
    seqno: account.state.seqno,
    timeout: now + QUOTE_VALID_FOR,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    signer: cell => Promise.resolve(NO_SIGNATURE(cell.hash())),
    messages: [
      relaxed(tried),
      internal({
        to: Address.parseRaw(target.to),
        value: COMMISSION_VALUE,
        body: commissionBody({ relay, commission }),
      }),
    ],
  });
  const costWith = (attached: bigint) =>
    tryTransfer(relayer, {
      ...{ master, commission, target: tried, isUnsigned: true },
      forward: { wallet, init: account.isNew ? contract.init : null, body, value: attached },
    });
  const first = await costWith(target.value + COMMISSION_VALUE + PROBE);
  if (!first) return null;
  const attached = first.used + CUSHION;
  const second = await costWith(attached);
  return second && { attached, loss: second.loss };
}

const atMost = (amount: bigint, max: bigint): bigint => (amount < max ? amount : max);

function withAmount(target: JettonMessage, amount: bigint): JettonMessage {
  const transfer = { ...target.transfer, amount };
  return { ...target, transfer, body: transferBody(transfer) };
}

function transferBody(transfer: JettonMessage['transfer']): Cell {
  const { queryId, amount, destination, response, customPayload, forwardAmount, forwardPayload } = transfer;
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(Address.parseRaw(destination))
    .storeAddress(response === null ? null : Address.parseRaw(response))
    .storeMaybeRef(customPayload)
    .storeCoins(forwardAmount)
    .storeMaybeRef(forwardPayload)
    .endCell();
}

const relaxed = ({ to, value, bounce, init, body }: JettonMessage) =>
  internal({
    to: Address.parseRaw(to),
    ...{ value, bounce, body },
    ...(init && { init: loadStateInit(init.beginParse()) }),
  });
