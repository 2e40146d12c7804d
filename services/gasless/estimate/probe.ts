import { Address, internal, loadStateInit, SendMode } from '@ton/core';
import type { Relayer } from '../deps';
import { COMMISSION_VALUE, commissionBody } from '../quote/quote';
import { relayAddress } from '../relay/relay-account';
import { walletV5 } from '../../wallet-v5/wallet-v5';
import { NO_SIGNATURE } from '../relay/relay-message';
import { transferBody, type JettonMessage } from '../request/jetton-message';
import type { WalletAccount } from '../request/wallet-account';
import { tryTransfer } from './try-transfer';

/** Seconds: of a request that is only emulated. */
const VALID_FOR = 300;
/** Nanotons beyond what its messages take, to see what a wallet uses. */
const PROBE = 50_000_000n;
/** Beyond what the wallet used then: rent of the minutes until the send. */
const CUSHION = 1_000_000n;

export interface Probed {
  readonly account: WalletAccount;
  readonly wallet: string;
  readonly publicKey: string;
  readonly master: string;
  readonly target: JettonMessage;
  readonly balance: bigint | null;
}

/**
 * What the relayer has to attach to a transfer, and what it would lose: it is emulated with more coins than it needs. Null where it
 * would not arrive.
 */
export async function probe(
  relayer: Relayer,
  { account, wallet, publicKey, master, target, balance }: Probed,
): Promise<{ readonly attached: bigint; readonly loss: bigint } | null> {
  const commission = 1n;
  const tried =
    balance === null ? target : withAmount(target, atMost(target.transfer.amount, balance - commission));
  const contract = walletV5(Buffer.from(publicKey, 'hex'), relayer.network);
  const relay = relayAddress(relayer);
  const { now } = await relayer.client.getLastBlock();
  const body = await contract.createTransfer({
    authType: 'internal',
    seqno: account.state.seqno,
    timeout: now + VALID_FOR,
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
  const value = target.value + COMMISSION_VALUE + PROBE;
  const cost = await tryTransfer(relayer, {
    master,
    commission,
    target: tried,
    isUnsigned: true,
    forward: { wallet, init: account.isNew ? contract.init : null, body, value },
  });
  if (!cost) return null;
  const attached = cost.used + CUSHION;
  // What the wallet does not use stays there: of less it keeps less, and nothing else changes.
  return { attached, loss: cost.loss - (value - attached) };
}

const atMost = (amount: bigint, max: bigint): bigint => (amount < max ? amount : max);

function withAmount(target: JettonMessage, amount: bigint): JettonMessage {
  const transfer = { ...target.transfer, amount };
  return { ...target, transfer, body: transferBody(transfer, transfer.forwardPayload) };
}

const relaxed = ({ to, value, bounce, init, body }: JettonMessage) =>
  internal({
    to: Address.parseRaw(to),
    value,
    bounce,
    body,
    ...(init && { init: loadStateInit(init.beginParse()) }),
  });
