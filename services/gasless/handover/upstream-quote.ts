import { Cell } from '@ton/core';
import {
  UpstreamUnavailable,
  type GaslessUpstream,
  type UpstreamMessage,
  type UpstreamQuote,
} from '../../../contracts/ports/gasless-upstream';
import { refusal, type GaslessRefusal } from '../deps';
import { COMMISSION_VALUE } from '../quote/quote';
import type { QuoteView } from '../quote/view';
import { isSameCell, readTransfer, type JettonMessage } from '../request/jetton-message';

export interface UpstreamAsked {
  /** Raw. */
  readonly wallet: string;
  /** Hex. */
  readonly publicKey: string;
  /** Raw. */
  readonly master: string;
  readonly target: JettonMessage;
  /** Its `MessageRelaxed`, hex. */
  readonly message: string;
  readonly caller: string;
}

/**
 * A quote of the relayer of somebody else. Wallets sign what they are given: a quote for anything but the transfer that was asked for,
 * and a commission in the same jetton, is not passed on.
 * @throws UpstreamRefused
 */
export async function upstreamQuote(
  upstream: GaslessUpstream,
  { target, ...asked }: UpstreamAsked,
): Promise<QuoteView | GaslessRefusal> {
  try {
    const { relay } = await upstream.config();
    // An application may still have what it was told of another network.
    if (target.transfer.response !== relay)
      return refusal('try-later', 'what is left is not for the relayer');
    const quote = await upstream.estimate(asked);
    const isAsked = quote.relay === relay && quote.wallet === asked.wallet && isFor(quote, target);
    return isAsked ? viewOf(quote) : refusal('try-later', 'a quote for something else than was asked');
  } catch (error) {
    // Applications repeat whatever is not 200 up to fifty times.
    if (error instanceof UpstreamUnavailable) return refusal('try-later', error.message);
    throw error;
  }
}

function isFor({ messages, commission, relay }: UpstreamQuote, target: JettonMessage): boolean {
  const [first, paid, ...others] = messages;
  if (!first || !paid || others.length > 0) return false;
  const isTarget =
    first.address === target.to &&
    first.amount === target.value &&
    isSameCell(cellOf(first.payload), target.body) &&
    isSameCell(cellOf(first.stateInit), target.init);
  return isTarget && isCommission(paid, { commission, relay, jettonWallet: target.to });
}

/** In the form that published clients accept. */
function isCommission(
  { address, amount, payload, stateInit }: UpstreamMessage,
  expected: { readonly commission: bigint; readonly relay: string; readonly jettonWallet: string },
): boolean {
  const { commission, relay, jettonWallet } = expected;
  const isPlain = address === jettonWallet && stateInit === null;
  if (!isPlain || amount <= 0n || amount > COMMISSION_VALUE || commission <= 0n) return false;
  const transfer = transferIn(payload);
  return (
    transfer !== null &&
    transfer.amount === commission &&
    transfer.destination === relay &&
    transfer.response === relay &&
    transfer.customPayload === null &&
    transfer.forwardAmount === 0n &&
    transfer.forwardPayload.equals(Cell.EMPTY)
  );
}

function transferIn(payload: string | null) {
  try {
    const cell = cellOf(payload);
    return cell && readTransfer(cell);
  } catch {
    return null;
  }
}

function cellOf(hex: string | null): Cell | null {
  try {
    return hex === null ? null : Cell.fromHex(hex);
  } catch {
    return null;
  }
}

function viewOf({ relay, wallet, commission, validUntil, messages }: UpstreamQuote): QuoteView {
  return {
    relay_address: relay,
    commission: commission.toString(),
    from: wallet,
    valid_until: validUntil,
    messages: messages.map(({ address, amount, payload, stateInit }) => ({
      address,
      amount: amount.toString(),
      ...(payload !== null && { payload }),
      ...(stateInit !== null && { stateInit }),
    })),
  };
}
