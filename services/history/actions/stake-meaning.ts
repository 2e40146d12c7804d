import type { TonAsset } from '../../../contracts/chain/ton-action';
import { stakeReceipt, stakeRequest, type StakeRequest } from '../../../contracts/chain/ton-stake-request';
import { NOTHING, TON, type Described, type InternalMessage, type OwnTransaction } from './message-meaning';

const KINDS = {
  stake: 'stake_deposit',
  unstake: 'stake_withdrawal_request',
  claim: 'stake_withdrawal',
} as const;

export function jettonOf(master: string): TonAsset {
  return { type: 'jetton', master };
}

/** What the sender of a message wanted by it, before anything is known of what it led to. */
export function requestedStake(
  { type, contract, jetton, amount }: StakeRequest,
  { info, comment }: InternalMessage,
): Described {
  const asset = jetton === null ? TON : jettonOf(jetton);
  const said = type === 'stake' ? (amount ?? info.value) : amount;
  return { ...NOTHING, kind: KINDS[type], receiver: contract, asset, amount: said, comment };
}

/** Somebody else's message to the account, which is a contract that people stake in itself; null for any other. */
function takenStake(transaction: OwnTransaction, message: InternalMessage): Described | null {
  const { account, contracts, jettonWallets, outMessages } = transaction;
  const { info, jetton } = message;
  const wallet = jettonWallets[info.src];
  switch (contracts[account]) {
    case 'staking_pool':
    case 'liquid_pool': {
      const request = stakeRequest(message, transaction);
      return request && request.type !== 'claim' ? requestedStake(request, message) : null;
    }
    case 'staked_usde': {
      if (jetton?.type !== 'internal_transfer' || wallet?.master !== account) return null;
      const { amount } = jetton;
      return { ...NOTHING, kind: KINDS.unstake, receiver: account, asset: jettonOf(account), amount };
    }
    case 'usde_vault': {
      // A stake that it takes is answered with shares.
      const isTaken = outMessages.some(sent => sent.jetton?.type === 'mint');
      if (jetton?.type !== 'transfer_notification' || wallet?.owner !== account || !isTaken) return null;
      const { amount } = jetton;
      return { ...NOTHING, kind: KINDS.stake, receiver: account, asset: jettonOf(wallet.master), amount };
    }
    default:
      return null;
  }
}

/** What another account's message says of a stake; null when it says nothing of one. */
export function arrivedStake(
  transaction: OwnTransaction,
  message: InternalMessage,
): (Described & { readonly sender: string | null }) | null {
  const { info, jetton, comment } = message;
  const taken = takenStake(transaction, message);
  if (taken) {
    const sender =
      jetton?.type === 'internal_transfer'
        ? jetton.from
        : jetton?.type === 'transfer_notification'
          ? jetton.sender
          : info.src;
    return { ...taken, sender };
  }
  if (stakeReceipt(message, transaction) !== 'withdraw_response') return null;
  const paid = { ...NOTHING, kind: KINDS.claim, asset: TON, amount: info.value, comment };
  return { ...paid, sender: info.src, receiver: transaction.account };
}
