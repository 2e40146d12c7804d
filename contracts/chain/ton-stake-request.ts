import { usdeContractsOf } from './ton-known-contracts';
import type { StakingOperation, TonMessageContent } from './ton-transaction';
import type { VerifiedContracts } from './ton-verified-contracts';

/** What the sender of a message asks a staking contract for. Addresses are raw. */
export interface StakeRequest {
  /** `claim`: what an earlier request to unstake has left to be paid. */
  readonly type: 'stake' | 'unstake' | 'claim';
  /** A nominator pool, a liquid pool, the vault that USDe is staked in, or the master of tsUSDe. */
  readonly contract: string;
  /** The master of the jetton that is staked, given up or claimed; null: TON. */
  readonly jetton: string | null;
  /** In the smallest unit; null when the message does not say, or means everything. */
  readonly amount: string | null;
}

/** Texts that Ledger devices send. */
const COMMANDS: ReadonlyMap<string | null, StakeRequest['type']> = new Map([
  ['Deposit', 'stake'],
  ['Withdraw', 'unstake'],
]);
const LIQUID_COMMANDS: typeof COMMANDS = new Map([...COMMANDS, ['Collect', 'claim']]);

const someOf = (amount: string): string | null => (amount === '0' ? null : amount);

function ofNominatorPool(
  contract: string,
  { staking, comment }: Pick<TonMessageContent, 'staking' | 'comment'>,
): StakeRequest | null {
  const common = { contract, jetton: null, amount: null };
  if (staking?.type === 'deposit') return { ...common, type: 'stake' };
  if (staking?.type === 'withdraw') return { ...common, type: 'unstake', amount: someOf(staking.stake) };
  const type = COMMANDS.get(comment);
  return type ? { ...common, type } : null;
}

function ofLiquidPool(
  contract: string,
  { staking, comment }: Pick<TonMessageContent, 'staking' | 'comment'>,
): StakeRequest | null {
  const type = LIQUID_COMMANDS.get(comment);
  if (type) return { type, contract, jetton: type === 'unstake' ? contract : null, amount: null };
  switch (staking?.type) {
    case 'liquid_deposit':
      return { type: 'stake', contract, jetton: null, amount: staking.amount };
    case 'liquid_withdraw':
      return { type: 'unstake', contract, jetton: contract, amount: someOf(staking.jettons) };
    case 'liquid_collect':
      return { type: 'claim', contract, jetton: null, amount: null };
    default:
      return null;
  }
}

/** By a wallet of USDe or of tsUSDe that its master has confirmed to be the sender's. */
function ofUsde(
  { jetton, staking }: Pick<TonMessageContent, 'jetton' | 'staking'>,
  master: string,
  { contracts }: Pick<VerifiedContracts, 'contracts'>,
): StakeRequest | null {
  if (jetton?.type === 'transfer') {
    const { destination: contract, amount } = jetton;
    const kind = contracts[contract];
    if (kind === 'staked_usde' && contract === master)
      return { type: 'unstake', contract, jetton: master, amount };
    const isStake = kind === 'usde_vault' && usdeContractsOf(contract)?.usde === master;
    return isStake ? { type: 'stake', contract, jetton: master, amount } : null;
  }
  if (staking?.type !== 'usde_claim' || staking.destination !== master) return null;
  const usde = contracts[master] === 'staked_usde' ? usdeContractsOf(master)?.usde : undefined;
  return usde ? { type: 'claim', contract: master, jetton: usde, amount: staking.amount } : null;
}

/**
 * What a message asks for; null when it is not to a known staking contract, or its sender's own
 * jetton wallet: to anything else the same message means nothing.
 */
export function stakeRequest(
  message: Pick<TonMessageContent, 'info' | 'jetton' | 'staking' | 'comment'>,
  { jettonWallets, contracts }: VerifiedContracts,
): StakeRequest | null {
  const { info } = message;
  if (info.type !== 'internal' || info.bounced) return null;
  const kind = contracts[info.dest];
  if (kind === 'staking_pool') return ofNominatorPool(info.dest, message);
  if (kind === 'liquid_pool') return ofLiquidPool(info.dest, message);
  const wallet = jettonWallets[info.dest];
  return wallet?.owner === info.src ? ofUsde(message, wallet.master, { contracts }) : null;
}

/** Texts of nominator pools, whose amounts are not to be read: they have no zeros after the point. */
const RECEIPTS: readonly (readonly [RegExp, StakeReceipt])[] = [
  [/^Stake \d+\.\d+ accepted$/, 'deposit_response'],
  [/^Withdraw requested\. /, 'withdraw_delayed'],
  [/^Withdraw completed$/, 'withdraw_response'],
];

export type StakeReceipt = Extract<
  StakingOperation['type'],
  'deposit_response' | 'withdraw_delayed' | 'withdraw_response'
>;

/** What a pool says of a request: it has taken the stake, will pay it later, or pays; null for any other message. */
export function stakeReceipt(
  { info, staking, comment }: Pick<TonMessageContent, 'info' | 'staking' | 'comment'>,
  { contracts }: Pick<VerifiedContracts, 'contracts'>,
): StakeReceipt | null {
  if (info.type !== 'internal' || info.bounced) return null;
  const kind = contracts[info.src];
  if (kind === 'liquid_pool') return staking?.type === 'withdraw_response' ? staking.type : null;
  if (kind !== 'staking_pool') return null;
  switch (staking?.type) {
    case 'deposit_response':
    case 'withdraw_delayed':
    case 'withdraw_response':
      return staking.type;
    default:
      return comment === null ? null : (RECEIPTS.find(([text]) => text.test(comment))?.[1] ?? null);
  }
}
