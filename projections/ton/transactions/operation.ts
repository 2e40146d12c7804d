import { fromNano } from '@ton/core';
import type { JettonOperation, JettonWallets } from '../../../contracts/chain/ton-jetton';
import type {
  CardOperation,
  StakingOperation,
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

function stakingOp(staking: StakingOperation): Meaning['op'] {
  switch (staking.type) {
    case 'deposit':
      return { res: 'known.deposit' };
    case 'deposit_response':
      return { res: 'known.depositOk' };
    case 'withdraw':
      return staking.stake === '0'
        ? { res: 'known.withdrawAll' }
        : { res: 'known.withdraw', options: { coins: fromNano(staking.stake) } };
    case 'withdraw_response':
      return { res: 'known.withdrawAll' };
    case 'withdraw_delayed':
      return null;
  }
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

/**
 * What a message means to an account. Anyone can send the messages of contracts: those of jetton wallets and masters, NFT items
 * and staking pools count when these are verified, and requests to a card account when the account itself has sent them.
 */
export function meaningOf(
  message: TonMessageContent | null,
  { account, jettonWallets, contracts }: Observer,
): Meaning {
  if (!message) return NO_MEANING;
  const { info, jetton, nft, staking, card, comment } = message;
  if (isExcess(message, { jettonWallets, contracts }))
    return { ...NO_MEANING, op: { res: 'known.cashback' } };
  if (jetton) {
    const master = movedJetton(message, jettonWallets);
    return master === null ? unverifiedMeaning(jetton, comment) : jettonMeaning(jetton, master);
  }
  const isSent = info.type === 'internal' && info.src === account;
  const other = info.type !== 'internal' ? null : contracts[isSent ? info.dest : info.src];
  if (nft) {
    const isTransfer = nft.type === 'transfer' && other === 'nft_item';
    return { ...NO_MEANING, address: isTransfer ? nft.newOwner : null, comment: nft.comment };
  }
  const stake = other === 'staking_pool' && staking ? stakingOp(staking) : null;
  return { ...NO_MEANING, comment, op: stake ?? (isSent && card ? cardOp(card) : null) };
}
