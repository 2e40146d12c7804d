import { kindAt } from './ton-known-contracts';
import { isRefused, type TonTrace, type TraceMessage } from './ton-trace';
import type { ContractKind } from './ton-verified-contracts';

/** A message of a trace with all that followed from it. */
export function subtree({ messages }: Pick<TonTrace, 'messages'>, root: TraceMessage): TraceMessage[] {
  const within = new Set([messages.indexOf(root)]);
  // Each message comes after the one that caused it.
  messages.forEach(({ parent }, at) => {
    if (parent !== null && within.has(parent)) within.add(at);
  });
  return messages.filter((_, at) => within.has(at));
}

const POOLS: readonly (ContractKind | undefined)[] = ['staking_pool', 'liquid_pool'];
const OF_SEVERAL_STEPS: readonly (ContractKind | undefined)[] = ['liquid_pool', 'staked_usde', 'usde_vault'];

/** The contract that a message is for, which it may name as the receiver of jettons. */
function addressee({ dest, jetton, staking }: TraceMessage): string {
  if (jetton?.type === 'transfer') return jetton.destination;
  return staking?.type === 'usde_claim' ? staking.destination : dest;
}

/** Of what a contract is asked for, and not what it says of it to others. */
const isStep = ({ src, dest, bounced, jetton }: TraceMessage, owner: string): boolean =>
  OF_SEVERAL_STEPS.some(kind => kind === kindAt(src) || kind === kindAt(dest)) &&
  dest !== owner &&
  !bounced &&
  jetton?.type !== 'excesses' &&
  jetton?.type !== 'transfer_notification';

/**
 * Whether one of the staking contracts that are known by their address has refused what a message asks for:
 * the contract itself, or, after it had taken the message, another one on the way to what was asked for. A vault that does not
 * take a stake sends the jettons back.
 */
export function hasRefusedStake(trace: Pick<TonTrace, 'messages'>, message: TraceMessage): boolean {
  const contract = addressee(message);
  const kind = kindAt(contract);
  if (POOLS.includes(kind) && isRefused(message)) return true;
  if (!OF_SEVERAL_STEPS.includes(kind)) return false;
  const followed = subtree(trace, message);
  const isSentBack =
    kind === 'usde_vault' &&
    followed.some(({ src, jetton }) => src === contract && jetton?.type === 'transfer');
  return isSentBack || followed.some(step => isRefused(step) && isStep(step, message.src));
}
