import { fromNano } from '@ton/core';
import type { JettonOperation } from '../../contracts/chain/ton-jetton';
import type { StakingOperation, TonMessage } from '../../contracts/chain/ton-transaction';
import type { StoredOperation } from '../../contracts/http/stored-transaction';

/** The meaning, to the account's owner, of the message that describes a transaction. Addresses are raw. */
export interface Meaning {
  /** The other party named in the body; null when the body names none. */
  readonly address: string | null;
  /** Amount of a token in its smallest unit. */
  readonly token: string | null;
  readonly comment: string | null;
  /** A key of the wallet's dictionary. */
  readonly op: StoredOperation['op'] | null;
}

const NO_MEANING: Meaning = { address: null, token: null, comment: null, op: null };

function jettonMeaning(jetton: JettonOperation): Meaning {
  switch (jetton.type) {
    case 'transfer':
      return {
        address: jetton.destination,
        token: jetton.amount,
        comment: jetton.comment,
        op: { res: 'tx.tokenTransfer' },
      };
    case 'transfer_notification':
      return {
        address: jetton.sender,
        token: jetton.amount,
        comment: jetton.comment,
        op: jetton.sender ? null : { res: 'common.airdrop' },
      };
    case 'internal_transfer':
      return { ...NO_MEANING, address: jetton.from, token: jetton.amount, comment: jetton.comment };
    case 'burn':
    case 'burn_notification':
    case 'bounced':
      return { ...NO_MEANING, token: jetton.amount };
    case 'excesses':
      return NO_MEANING;
  }
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

export function meaningOf(message: TonMessage | null): Meaning {
  if (!message) return NO_MEANING;
  if (message.jetton) return jettonMeaning(message.jetton);
  return {
    ...NO_MEANING,
    comment: message.comment,
    op: message.staking && stakingOp(message.staking),
  };
}
