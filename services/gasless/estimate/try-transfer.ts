import type { Cell } from '@ton/core';
import { GetMethodFailed } from '../../../contracts/ports/ton-client';
import { CannotEmulate } from '../../../contracts/ports/ton-emulator';
import type { Relayer } from '../deps';
import { commissionBody } from '../quote/quote';
import { walletAt, walletV5 } from '../../wallet-v5/wallet-v5';
import { relayAddress } from '../relay/relay-account';
import { NO_SIGNATURE, relayMessage, type Forward } from '../relay/relay-message';
import type { JettonMessage } from '../request/jetton-message';
import { costOf, type RelayCost } from './emulated-transfer';

export interface TriedTransfer {
  readonly master: string;
  readonly forward: Forward;
  readonly target: JettonMessage;
  readonly commission: bigint;
  /** The wallet has not signed it yet. */
  readonly isUnsigned?: boolean;
}

/** Seconds: of a message that is only emulated. */
const VALID_FOR = 300;

/** What a transfer would cost the relayer on the newest states; null where it would not arrive. */
export async function tryTransfer(relayer: Relayer, tried: TriedTransfer): Promise<RelayCost | null> {
  const { client, emulator, key, network } = relayer;
  const { master, forward, target, commission, isUnsigned = false } = tried;
  const wallet = walletV5(key.publicKey, network);
  const relay = relayAddress(relayer);
  const block = await client.getLastBlock();
  const { destination, amount } = target.transfer;
  const [{ seqno }, relayJettonWallet, receivingJettonWallet] = await Promise.all([
    walletAt(relayer, relay, block.seqno),
    client.getJettonWallet(master, relay),
    client.getJettonWallet(master, destination).catch(nullOfNoWallet),
  ]);
  const order = { seqno, validUntil: block.now + VALID_FOR, forwards: [forward] };
  const message = await relayMessage(wallet, order, NO_SIGNATURE);
  try {
    const unsigned = isUnsigned ? [relay, forward.wallet] : [relay];
    const accounts = [
      relay,
      forward.wallet,
      target.to,
      relayJettonWallet,
      receivingJettonWallet,
      destination,
    ];
    const expected = accounts.filter(address => address !== null);
    const emulation = await emulator.emulate(message, {
      unsigned,
      block,
      expected,
      balances: [relay],
      receivers: [forward.wallet],
      jettonWallets: [relayJettonWallet],
    });
    const bodies: [Cell, Cell] = [target.body, commissionBody({ relay, commission })];
    return costOf(emulation, {
      relay,
      relayJettonWallet,
      bodies,
      destination,
      amount,
      commission,
      wallet: forward.wallet,
      jettonWallet: target.to,
    });
  } catch (error) {
    if (error instanceof CannotEmulate) return null;
    throw error;
  }
}

/** The master refuses the address: the emulation shows what comes of that. */
function nullOfNoWallet(error: unknown): null {
  if (error instanceof GetMethodFailed) return null;
  throw error;
}
