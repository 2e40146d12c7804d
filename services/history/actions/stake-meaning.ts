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

type Arrived = Described & { readonly sender: string | null };

/** Somebody else's message to the account, which is a staking contract itself; null for any other. */
function takenStake(transaction: OwnTransaction, message: InternalMessage): Arrived | null {
  const { account: receiver, contracts, jettonWallets, outMessages } = transaction;
  const { info, jetton } = message;
  const wallet = jettonWallets[info.src];
  switch (contracts[receiver]) {
    case 'staking_pool':
    case 'liquid_pool': {
      const request = stakeRequest(message, transaction);
      if (!request || request.type === 'claim') return null;
      return { ...requestedStake(request, message), sender: info.src };
    }
    case 'staked_usde': {
      if (jetton?.type !== 'internal_transfer' || wallet?.master !== receiver) return null;
      const { from: sender, amount } = jetton;
      return { ...NOTHING, kind: KINDS.unstake, sender, receiver, asset: jettonOf(receiver), amount };
    }
    case 'usde_vault': {
      // A stake that it takes is answered with shares.
      const isTaken = outMessages.some(sent => sent.jetton?.type === 'mint');
      if (jetton?.type !== 'transfer_notification' || wallet?.owner !== receiver || !isTaken) return null;
      const { sender, amount } = jetton;
      return { ...NOTHING, kind: KINDS.stake, sender, receiver, asset: jettonOf(wallet.master), amount };
    }
    default:
      return null;
  }
}

/** What another account's message says of a stake; null when it says nothing of one. */
export function arrivedStake(transaction: OwnTransaction, message: InternalMessage): Arrived | null {
  const taken = takenStake(transaction, message);
  if (taken || stakeReceipt(message, transaction) !== 'withdraw_response') return taken;
  const { info, comment } = message;
  const [sender, receiver] = [info.src, transaction.account];
  return { ...NOTHING, kind: KINDS.claim, sender, receiver, asset: TON, amount: info.value, comment };
}
