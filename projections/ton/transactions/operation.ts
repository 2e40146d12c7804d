import { fromNano } from '@ton/core';
import type { JettonOperation, JettonWallets } from '../../../contracts/chain/ton-jetton';
import {
  stakeReceipt,
  stakeRequest,
  type StakeReceipt,
  type StakeRequest,
} from '../../../contracts/chain/ton-stake-request';
import type {
  CardOperation,
  TonMessageContent,
  TonTransaction,
} from '../../../contracts/chain/ton-transaction';
import { isExcess, type VerifiedContracts } from '../../../contracts/chain/ton-verified-contracts';
import type { StoredOperation } from '../../../contracts/http/history/stored-transaction';

/** The meaning, to the account's owner, of the message that describes a transaction. Addresses are raw. */
export interface Meaning {
  /** The other party named in the body; null when the body names none that can be believed. */
  readonly address: string | null;
  /** Amount of a token in its smallest unit, and its master. */
  readonly token: { readonly amount: string; readonly master: string } | null;
  readonly comment: string | null;
  /** A key of the wallet's dictionary. */
  readonly op: StoredOperation['op'] | null;
}

const NO_MEANING: Meaning = { address: null, token: null, comment: null, op: null };

/**
 * The master of the jetton that a message moves; null when it moves none. Anyone can send the message of a jetton wallet, so
 * the wallet must be a verified one, and the other side be its owner, its master, or another wallet of the same master.
 */
export function movedJetton({ info, jetton }: TonMessageContent, wallets: JettonWallets): string | null {
  if (!jetton || info.type !== 'internal') return null;
  const from = wallets[info.src];
  const to = wallets[info.dest];
  switch (jetton.type) {
    case 'transfer':
    case 'burn':
      return to?.owner === info.src ? to.master : null;
    case 'transfer_notification':
      return from?.owner === info.dest ? from.master : null;
    case 'burn_notification':
      return from?.master === info.dest ? from.master : null;
    case 'internal_transfer':
      if (from) return !to || to.master === from.master ? from.master : null;
      return to?.master === info.src ? to.master : null;
    case 'excesses':
    case 'bounced':
    case 'mint':
      return null;
  }
}

/** What a verified jetton message does. */
function jettonMeaning(jetton: JettonOperation, master: string): Meaning {
  switch (jetton.type) {
    case 'transfer':
      return {
        address: jetton.destination,
        token: { amount: jetton.amount, master },
        comment: jetton.comment,
        op: { res: 'tx.tokenTransfer' },
      };
    case 'transfer_notification':
      return {
        address: jetton.sender,
        token: { amount: jetton.amount, master },
        comment: jetton.comment,
        op: { res: jetton.sender ? 'known.tokenReceived' : 'common.airdrop' },
      };
    case 'internal_transfer':
      return {
        ...NO_MEANING,
        address: jetton.from,
        token: { amount: jetton.amount, master },
        comment: jetton.comment,
      };
    case 'burn':
    case 'burn_notification':
      return { ...NO_MEANING, token: { amount: jetton.amount, master } };
    case 'excesses':
    case 'bounced':
    case 'mint':
      return NO_MEANING;
  }
}

/** What anyone may have sent: a message with a comment. */
function unverifiedMeaning(jetton: JettonOperation, comment: string | null): Meaning {
  return { ...NO_MEANING, comment: 'comment' in jetton ? jetton.comment : comment };
}

/** The wallet's dictionary has no key for a withdrawal that is delayed. */
const RECEIPTS: Readonly<Record<StakeReceipt, Meaning['op']>> = {
  deposit_response: { res: 'known.depositOk' },
  withdraw_response: { res: 'known.withdrawAll' },
  withdraw_delayed: null,
};

function stakingOp({ type, jetton, amount }: StakeRequest): Meaning['op'] {
  if (type === 'stake') return { res: 'known.deposit' };
  if (type === 'claim' || jetton !== null) return { res: 'known.withdrawLiquid' };
  return amount === null
    ? { res: 'known.withdrawAll' }
    : { res: 'known.withdraw', options: { coins: fromNano(amount) } };
}

function cardOp(card: CardOperation): Meaning['op'] {
  if (card.type === 'account_top_up')
    return { res: 'known.holders.accountTopUp', options: { amount: fromNano(card.amount) } };
  const { onetime, daily, monthly } = card;
  const options = { onetime: fromNano(onetime), daily: fromNano(daily), monthly: fromNano(monthly) };
  return { res: 'known.holders.accountLimitsChange', options };
}

/** The account of a transaction, and what is known of the contracts that it names. */
type Observer = Pick<TonTransaction, 'account'> & VerifiedContracts;

/** What an account asks of a staking contract, or what a pool answers it; of anything else null. */
function stakingMeaning(message: TonMessageContent, { account, ...verified }: Observer): Meaning['op'] {
  const { info } = message;
  if (info.type !== 'internal') return null;
  if (info.src !== account) {
    const receipt = stakeReceipt(message, verified);
    return receipt && RECEIPTS[receipt];
  }
  const request = stakeRequest(message, verified);
  return request && stakingOp(request);
}

/**
 * What a message means to an account. Anyone can send the messages of contracts: those of jetton wallets and masters, NFT items
 * and staking contracts count when these are verified, and requests to a card account when the account itself has
 * sent them.
 */
export function meaningOf(message: TonMessageContent | null, observer: Observer): Meaning {
  if (!message) return NO_MEANING;
  const { account, jettonWallets, contracts } = observer;
  const { info, jetton, nft, card, comment } = message;
  if (isExcess(message, { jettonWallets, contracts }))
    return { ...NO_MEANING, op: { res: 'known.cashback' } };
  const stake = stakingMeaning(message, observer);
  if (jetton) {
    const master = movedJetton(message, jettonWallets);
    if (master === null) return unverifiedMeaning(jetton, comment);
    const moved = jettonMeaning(jetton, master);
    return stake ? { ...moved, op: stake } : moved;
  }
  const isSent = info.type === 'internal' && info.src === account;
  if (nft) {
    const other = info.type !== 'internal' ? null : contracts[isSent ? info.dest : info.src];
    const isTransfer = nft.type === 'transfer' && other === 'nft_item';
    return { ...NO_MEANING, address: isTransfer ? nft.newOwner : null, comment: nft.comment };
  }
  return { ...NO_MEANING, comment, op: stake ?? (isSent && card ? cardOp(card) : null) };
}
