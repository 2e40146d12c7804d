import type { Cell } from '@ton/core';
import { JETTON_OP } from '../../../contracts/chain/ton-jetton';
import type { EmulatedTransaction, Emulation } from '../../../contracts/ports/ton-emulator';

/** A wallet's transfer and its commission, as a relayer is about to send them on. Addresses are raw. */
export interface RelayedTransfer {
  readonly relay: string;
  readonly wallet: string;
  readonly jettonWallet: string;
  /** The relayer's, of the same jetton. */
  readonly relayJettonWallet: string;
  /** Of the transfer, then of the commission. */
  readonly bodies: readonly [Cell, Cell];
  readonly destination: string;
  /** Smallest units. */
  readonly amount: bigint;
  readonly commission: bigint;
}

/** What a transfer would cost the relayer, in nanotons. */
export interface RelayCost {
  /** What of the attached coins the wallet used; the rest stays there. */
  readonly used: bigint;
  /** By which the relayer's balance would be smaller in the end, without what others than the jetton would send it. */
  readonly loss: bigint;
}

/**
 * The cost of a transfer whose emulation shows that everything arrives, or null. That the transactions of relayer and wallet
 * end without an error is not enough: what a wallet cannot pay for it skips.
 */
export function costOf(emulation: Emulation, transfer: RelayedTransfer): RelayCost | null {
  const { transactions } = emulation;
  const [relayed] = transactions;
  const request = relayed && childrenOf(transactions, 0)[0];
  if (!request || !relayed.succeeded || !isCarriedOut(request, transfer, relayed)) return null;
  const transfers = childrenOf(transactions, transactions.indexOf(request));
  if (transfers.length !== 2 || !transfers.every(sent => isTransferDone(transactions, sent))) return null;

  const jettons = emulation.jettonsOf(transfer.relayJettonWallet);
  const isToRelay = transfer.destination === transfer.relay;
  const expected = transfer.commission + (isToRelay ? transfer.amount : 0n);
  if (jettons.after - jettons.before !== expected) return null;
  const { before, after } = emulation.balanceOf(transfer.relay);
  const given = givenByOthers(transactions, transfers, transfer.relay);
  return { used: request.message.value - request.received!, loss: before - after + given };
}

/**
 * Nanotons that the relayer would get from somebody else than the jetton wallets of the two transfers. The receiver of the jettons may
 * be a contract that sends coins in an emulation and, when it comes to it, does not: they pay for nothing.
 */
function givenByOthers(
  transactions: readonly EmulatedTransaction[],
  transfers: readonly EmulatedTransaction[],
  relay: string,
): bigint {
  const ofJetton = new Set([...transfers, ...transfers.flatMap(sent => arrivalsOf(transactions, sent))]);
  return transactions
    .filter(
      ({ account, parent }) => account === relay && parent !== null && !ofJetton.has(transactions[parent]!),
    )
    .reduce((sum, { message }) => sum + message.value, 0n);
}

const childrenOf = (transactions: readonly EmulatedTransaction[], index: number): EmulatedTransaction[] =>
  transactions.filter(({ parent }) => parent === index);

/** The wallet sends the two messages, and the relayer nothing else than what the wallet gets. */
function isCarriedOut(
  request: EmulatedTransaction,
  { relay, wallet, jettonWallet, bodies }: RelayedTransfer,
  relayed: EmulatedTransaction,
): boolean {
  return (
    relayed.account === relay &&
    relayed.sent.length === 1 &&
    request.account === wallet &&
    request.succeeded &&
    request.sent.length === bodies.length &&
    request.sent.every(
      ({ destination, bodyHash }, index) =>
        destination === jettonWallet && bodyHash === bodies[index]!.hash().toString('hex'),
    )
  );
}

/** The jetton wallet of the sender has sent the jettons, and that of the receiver has taken them. */
function isTransferDone(transactions: readonly EmulatedTransaction[], sent: EmulatedTransaction): boolean {
  const arrivals = arrivalsOf(transactions, sent);
  return sent.succeeded && arrivals.length === 1 && arrivals[0]!.exitCode === 0;
}

const arrivalsOf = (
  transactions: readonly EmulatedTransaction[],
  sent: EmulatedTransaction,
): EmulatedTransaction[] =>
  childrenOf(transactions, transactions.indexOf(sent)).filter(
    ({ message }) => message.op === JETTON_OP.internalTransfer,
  );
