import type { AssetAmount, TonActionPart, TonAsset } from '../../../contracts/chain/ton-action';
import { JETTON_OP, type JettonWallets } from '../../../contracts/chain/ton-jetton';
import { NFT_OP } from '../../../contracts/chain/ton-nft';
import { isFailed } from '../../../contracts/chain/ton-outcome';
import { subtree } from '../../../contracts/chain/ton-stake-outcome';
import type { DepositFees, TonTrace, TraceMessage } from '../../../contracts/chain/ton-trace';
import { masterOf, TON, valueKind, type Described, type OwnTransaction } from './message-meaning';
import { retained } from './trace-flows';

/** A transaction of an account, and what is known of what it caused. */
export interface TracedTransaction {
  readonly transaction: OwnTransaction;
  readonly trace: TonTrace | null;
  /** The account's own transactions in the trace. */
  readonly members: readonly OwnTransaction[];
}

/** What a message of the transaction led to. */
export interface Result {
  readonly message: TraceMessage;
  readonly messages: readonly TraceMessage[];
  readonly failed: boolean;
  /** Of the trace. */
  readonly jettonWallets: JettonWallets;
  readonly depositFees: DepositFees;
}

/** What a message (by its hash) of the transaction led to; null when the trace does not have the message. */
export function resultOf(trace: TonTrace | null, hash: string): Result | null {
  const message = trace?.messages.find(({ parent, hash: of }) => parent === null && of === hash);
  if (!trace || !message) return null;
  const { jettonWallets = {}, depositFees = {} } = trace;
  const messages = subtree(trace, message);
  return { message, messages, failed: isFailed(trace, message), jettonWallets, depositFees };
}

/** Tokens that the master called by a message gave to the owner of a wallet of it. Any contract can send what looks like them. */
function minted({
  message,
  messages,
  jettonWallets,
}: Result): Pick<Described, 'receiver' | 'asset' | 'amount'> | null {
  if (message.jetton && message.jetton.type !== 'mint') return null;
  for (const { src, dest, jetton } of messages) {
    const wallet = jettonWallets[dest];
    if (src !== message.dest || jetton?.type !== 'internal_transfer' || wallet?.master !== src) continue;
    return { receiver: wallet.owner, asset: { type: 'jetton', master: src }, amount: jetton.amount };
  }
  return null;
}

export function sameAsset(a: TonAsset | null, b: TonAsset): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Tokens of confirmed wallets that came to the account. */
function receivedJettons(members: readonly OwnTransaction[], { messages }: Result): AssetAmount | null {
  const reached = new Set(messages.map(({ transaction }) => transaction?.hash));
  for (const member of members) {
    const { hash, inMessage } = member;
    if (!reached.has(hash) || inMessage?.jetton?.type !== 'transfer_notification') continue;
    const asset = inMessage.info.type === 'internal' ? masterOf(member, inMessage.info.src) : null;
    if (asset) return { asset, amount: inMessage.jetton.amount };
  }
  return null;
}

const NOTIFICATIONS: readonly (number | null)[] = [JETTON_OP.transferNotification, NFT_OP.ownershipAssigned];

/** Nanotons that reached the receiver of a token with its notification. */
export function forwarded(account: string, { receiver }: Described, { messages }: Result): string {
  const notification = messages.find(({ op, dest }) => NOTIFICATIONS.includes(op) && dest === receiver);
  return notification && receiver !== account ? notification.value : '0';
}

export type Complete = Described & Pick<TonActionPart, 'received' | 'owed' | 'forwarded'>;

/** Completes what the owner requested by what it led to. */
export function completed(
  part: Described,
  result: Result,
  { transaction, members }: TracedTransaction,
): Complete {
  const { account } = transaction;
  const rest = retained(result.message, result.messages);
  const mint = part.kind === 'call_contract' || part.kind === 'contract_deploy' ? minted(result) : null;
  if (mint) return { ...part, ...mint, kind: 'jetton_mint', received: null, forwarded: '0' };
  const jettons = receivedJettons(members, result);
  const received: AssetAmount | null =
    jettons && !sameAsset(part.asset, jettons.asset)
      ? jettons
      : rest < 0n
        ? { asset: TON, amount: String(-rest) }
        : null;
  // What is sent to oneself is received, and yet it was sent.
  const moved = result.message.dest === account ? BigInt(result.message.value) : rest;
  const paid = part.asset?.type === 'ton' ? String(moved > 0n ? moved : 0n) : part.amount;
  switch (part.kind) {
    case 'call_contract':
    case 'contract_deploy':
    case 'ton_transfer': {
      const { message } = result;
      // Many clients send the state init always: the network ignores that of a contract which is deployed.
      const isDeployed = part.kind === 'contract_deploy' && !message.transaction?.deployed;
      const kind = isDeployed ? valueKind(message) : part.kind;
      return {
        ...part,
        kind: received?.asset.type === 'jetton' ? 'jetton_swap' : kind,
        amount: paid,
        received,
        forwarded: '0',
      };
    }
    case 'extra_currency_transfer':
      return { ...part, received: null, forwarded: String(rest) };
    case 'jetton_transfer':
      if (received) return { ...part, kind: 'jetton_swap', received, forwarded: '0' };
      return { ...part, received: null, forwarded: forwarded(account, part, result) };
    case 'nft_transfer':
      return { ...part, received, forwarded: forwarded(account, part, result) };
    default:
      return { ...part, received, forwarded: '0' };
  }
}
