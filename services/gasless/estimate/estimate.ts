import { isBehind } from '../../../contracts/chain/ton-block-age';
import { gaslessQuoteStream } from '../../../contracts/events/gasless-quote';
import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import type { TonNetwork } from '../../../contracts/network/network';
import { load } from '../../commands/load';
import { newStream } from '../../commands/stream-kind';
import { refusal, unsupported, type GaslessDeps, type GaslessRefusal } from '../deps';
import { codeFault } from '../jettons/code-fault';
import { payableJetton } from '../jettons/list';
import { commissionFor } from '../quote/commission';
import { gaslessQuoteKind } from '../quote/decider';
import { QUOTE_VALID_FOR, quoteKeyOf, type Quote } from '../quote/quote';
import { relayAddress } from '../relay/relay-account';
import { jettonBalance } from '../request/jetton-balance';
import type { JettonMessage } from '../request/jetton-message';
import { walletAccount } from '../request/wallet-account';
import { gaslessSendKind, isInFlight } from '../send/decider';
import { snapshotOf } from '../snapshot';
import { probe } from './probe';

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

/** Nanotons: more than any transfer needs, of which what is not used comes back or stays with the wallet. */
const MAX_VALUE = 300_000_000n;
const MAX_FORWARD = 10_000_000n;

export type EstimateDeps = Pick<GaslessDeps, 'relayer' | 'store' | 'handle' | 'clock'>;

/** What a transfer costs in its jetton, and what the wallet has to sign for it. The quote is recorded before it is given. */
export async function estimate(
  deps: EstimateDeps,
  { network, wallet, publicKey, master, target }: EstimateRequest,
): Promise<Quote | GaslessRefusal> {
  const found = deps.relayer(network);
  const jetton = found && (await payableJetton(found, master));
  if (!jetton) return unsupported('the jetton is not listed, or paused');
  const relay = relayAddress(found);
  const fault = faultOf(target, wallet, relay);
  if (fault) return refusal('try-later', fault);
  const relayer = await snapshotOf(found);
  if (isBehind(await relayer.client.getLastBlock(), deps.clock()))
    return refusal('try-later', 'the nodes are behind');
  const [rate, account, jettonWallet] = await Promise.all([
    relayer.rateOf(jetton),
    walletAccount(relayer, wallet, publicKey),
    relayer.client.getJettonWallet(master, wallet),
  ]);
  if (!rate) return refusal('try-later', 'no rate is known');
  if (!account) return refusal('try-later', 'no wallet v5 r1 of the key that its owner alone controls');
  if (target.to !== jettonWallet) return refusal('try-later', 'the message is not to the jetton wallet');
  const { seqno } = account.state;
  const running = await load(deps.store, gaslessSendKind, gaslessSendStream({ network, wallet, seqno }));
  if (isInFlight(running)) return refusal('cooldown', 'another request is in flight');

  const [balance, otherCode] = await Promise.all([
    jettonBalance(relayer, target),
    codeFault(relayer, jetton, target),
  ]);
  if (otherCode) return otherCode;
  if (balance !== null && balance < 2n) return refusal('not-enough', 'the wallet has no jettons');
  const cost = await probe(relayer, { account, wallet, publicKey, master, target, balance });
  if (!cost) return refusal('try-later', 'the transfer would not arrive');
  const commission = commissionFor(cost.loss, { ...relayer.terms, rate });
  if (balance !== null && commission >= balance) return refusal('not-enough', 'less than the commission');

  const now = deps.clock();
  const validUntil = Math.floor(now.getTime() / 1_000) + QUOTE_VALID_FOR;
  const quote: Quote = { wallet, jettonWallet, relay, target, commission, validUntil };
  const quoteKey = quoteKeyOf(quote);
  const command = {
    quote: {
      network,
      quoteKey,
      wallet,
      master,
      relay,
      seqno,
      validUntil,
      amount: target.transfer.amount.toString(),
      commission: commission.toString(),
      attached: cost.attached.toString(),
      loss: cost.loss.toString(),
      rate: { units: rate.units.toString(), nanotons: rate.nanotons.toString(), at: rate.at },
    },
    metadata: { now: now.toISOString(), actor: 'gasless' },
  };
  const stream = gaslessQuoteStream(network, quoteKey);
  await deps.handle(gaslessQuoteKind, stream, command, newStream(gaslessQuoteKind));
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
