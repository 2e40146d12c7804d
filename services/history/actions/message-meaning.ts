import type { AssetAmount, TonActionPart, TonAsset } from '../../../contracts/chain/ton-action';
import { isBounce } from '../../../contracts/chain/ton-outcome';
import type { TonMessageContent, TonTransaction } from '../../../contracts/chain/ton-transaction';
import type { VerifiedContracts } from '../../../contracts/chain/ton-verified-contracts';

/** An own transaction with what is known of the contracts that its messages name. */
export interface OwnTransaction extends TonTransaction, VerifiedContracts {}

export const TON: TonAsset = { type: 'ton' };

/** What a message says of an action. */
export type Described = Omit<TonActionPart, 'status' | 'sender' | 'received' | 'owed' | 'forwarded'>;

export const NOTHING: Described = {
  kind: 'unknown',
  receiver: null,
  asset: null,
  amount: null,
  comment: null,
};

export type InternalMessage = TonMessageContent & { readonly info: { readonly type: 'internal' } };

export function isInternal<M extends TonMessageContent>(message: M): message is M & InternalMessage {
  return message.info.type === 'internal';
}

/** The master of a jetton wallet of the account; null when it is not confirmed to be one. */
export function masterOf({ account, jettonWallets }: OwnTransaction, wallet: string): TonAsset | null {
  const confirmed = jettonWallets[wallet];
  return confirmed?.owner === account ? { type: 'jetton', master: confirmed.master } : null;
}

/** What a message without a state init does: it carries a value and asks for nothing, or it is a call. */
export function valueKind({ op }: Pick<TonMessageContent, 'op'>): 'ton_transfer' | 'call_contract' {
  return op === null || op === 0 ? 'ton_transfer' : 'call_contract';
}

/** The extra currencies that a message carries beside its coins. */
export function currenciesOf({ info }: InternalMessage): AssetAmount[] {
  return Object.entries(info.extraCurrency ?? {}).map(([id, amount]) => ({
    asset: { type: 'extra_currency', id },
    amount,
  }));
}

/** Nanotons of a message that carries an extra currency, of which `part` tells; of one that came back, those that were sent. */
export function coinsBeside({ asset }: Described, { info, bounce }: InternalMessage): string {
  return asset?.type === 'extra_currency' ? (bounce?.value ?? info.value) : '0';
}

/** What the value of a message was sent for. */
function payment(message: InternalMessage): Described {
  const { info, init, comment, op } = message;
  const [currency] = currenciesOf(message);
  const known = { ...NOTHING, receiver: info.dest, comment };
  if (currency) return { ...known, kind: 'extra_currency_transfer', ...currency };
  const paid = { ...known, asset: TON, amount: info.value };
  return { ...paid, kind: init ? 'contract_deploy' : valueKind({ op }) };
}

/** What the owner requested by a message, from what the message says. */
export function requested(transaction: OwnTransaction, message: InternalMessage): Described {
  const { info, jetton, nft } = message;
  const jettons = masterOf(transaction, info.dest);
  if (jetton?.type === 'transfer' && jettons) {
    const { destination: receiver, amount, comment } = jetton;
    return { kind: 'jetton_transfer', receiver, asset: jettons, amount, comment };
  }
  if (jetton?.type === 'burn' && jettons)
    return { ...NOTHING, kind: 'jetton_burn', asset: jettons, amount: jetton.amount };
  const other = transaction.contracts[info.dest];
  if (nft?.type === 'transfer' && other === 'nft_item') {
    const { newOwner: receiver, comment } = nft;
    return {
      kind: 'nft_transfer',
      receiver,
      asset: { type: 'nft', address: info.dest },
      amount: '1',
      comment,
    };
  }
  return payment(message);
}

/**
 * What the account had sent to somebody who refused it, from what came back. Only since version 12 of the network does that
 * show the value that was sent; otherwise it is the value that came back.
 */
function refused(message: InternalMessage): Described & { sender: string } {
  const { info, bounce } = message;
  const sent = payment({ ...message, init: null });
  const amount = sent.asset?.type === 'ton' && bounce ? bounce.value : sent.amount;
  return { ...sent, sender: info.dest, receiver: info.src, amount };
}

/** What another account's message brought, from what the message says. */
export function arrived(
  transaction: OwnTransaction,
  message: InternalMessage,
): Described & { sender: string | null } {
  if (isBounce(transaction)) return refused(message);
  const { info, jetton, nft } = message;
  const receiver = transaction.account;
  const jettons = masterOf(transaction, info.src);
  if (jetton?.type === 'transfer_notification' && jettons) {
    const { sender, amount, comment } = jetton;
    const kind = sender === null ? 'jetton_mint' : 'jetton_transfer';
    return { kind, sender, receiver, asset: jettons, amount, comment };
  }
  const other = transaction.contracts[info.src];
  if (nft?.type === 'ownership_assigned' && other === 'nft_item') {
    const asset: TonAsset = { type: 'nft', address: info.src };
    const { previousOwner: sender, comment } = nft;
    return { kind: 'nft_transfer', sender, receiver, asset, amount: '1', comment };
  }
  const sender = info.src;
  const { statusBefore, statusAfter } = transaction;
  const deployed = statusBefore !== 'active' && statusAfter === 'active';
  return { ...payment({ ...message, init: deployed ? message.init : null }), sender };
}
