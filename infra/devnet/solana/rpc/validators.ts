import { z } from 'zod';
import type { Commitment } from '../chain/ledger';
import { slotAt } from '../chain/unfinalized';
import { VALIDATOR } from '../genesis/validator';
import { STAKE, VOTE } from '../svm/programs';
import { activeStake, readDelegation } from '../svm/stake-state';
import { readVoteAccount } from '../svm/vote-state';
import { blockNotAvailable, invalidParams } from './error';
import { contextSlot, method, type Method, type Node, NODE_VERSION, withContext } from './method';
import { address, anyContext, context, orEncoding, u64 } from './params';

/** In lamports, of the engine's stake program: what its `GetMinimumDelegation` returns. */
const MIN_DELEGATION = 1_000_000_000;
const MAX_LEADERS = 5_000;

const voteConfig = orEncoding(
  z.looseObject({
    ...context.shape,
    votePubkey: address.nullish(),
    keepUnstakedDelinquents: z.boolean().nullish(),
  }),
);
const rewardConfig = orEncoding(z.looseObject({ ...context.shape, epoch: u64.nullish() }));

const stakeOf = (node: Node, voteAccount: string, epoch: number, commitment: Commitment): bigint =>
  node.accounts.by('owner', STAKE.address, commitment).reduce((sum, { account }) => {
    const delegation = readDelegation(account);
    return delegation?.voteAccount === voteAccount ? sum + activeStake(delegation, epoch) : sum;
  }, 0n);

/** The vote accounts. The local validator sends no votes: it is shown as if it voted for every block. */
function voteAccounts(node: Node, commitment: Commitment) {
  const { unfinalized } = node.chain;
  const slot = slotAt(unfinalized, commitment);
  const epoch = Math.floor(slot / node.engine.slotsPerEpoch);
  return node.accounts.by('owner', VOTE.address, commitment).flatMap(({ address: votePubkey, account }) => {
    const vote = readVoteAccount(account);
    if (!vote) return [];
    const isVoting = vote.node === VALIDATOR.address;
    return [
      {
        votePubkey,
        nodePubkey: vote.node,
        activatedStake: Number(stakeOf(node, votePubkey, epoch, commitment)),
        epochVoteAccount: isVoting,
        commission: vote.commission,
        epochCredits: [],
        lastVote: isVoting ? slot : 0,
        rootSlot: isVoting ? unfinalized.root.slot : 0,
      },
    ];
  });
}

/** Methods about validators, their stakes and their rewards. */
export const VALIDATOR_METHODS: Readonly<Record<string, Method>> = {
  getIdentity: method([], () => ({ identity: VALIDATOR.address })),
  getClusterNodes: method([], ({ rpcAddress }) => [
    {
      pubkey: VALIDATOR.address,
      gossip: null,
      tpu: null,
      rpc: rpcAddress(),
      version: NODE_VERSION,
      featureSet: 0,
      shredVersion: 0,
    },
  ]),
  getSlotLeader: method([anyContext], (node, given) => {
    contextSlot(node, given);
    return VALIDATOR.address;
  }),
  getSlotLeaders: method([u64, u64.min(1).max(MAX_LEADERS)], (_node, _from, count) =>
    Array.from({ length: count }, () => VALIDATOR.address),
  ),
  getVoteAccounts: method([voteConfig], (node, config) => {
    const found = voteAccounts(node, config.commitment).filter(
      ({ votePubkey }) => !config.votePubkey || votePubkey === config.votePubkey,
    );
    return {
      current: found.filter(({ epochVoteAccount }) => epochVoteAccount),
      delinquent: found.filter(
        ({ epochVoteAccount, activatedStake }) =>
          !epochVoteAccount && (activatedStake > 0 || config.keepUnstakedDelinquents === true),
      ),
    };
  }),
  getStakeMinimumDelegation: method([anyContext], (node, given) => withContext(node, given, MIN_DELEGATION)),
  /** A local network pays no rewards: null for each account, once the epoch has ended. */
  getInflationReward: method([z.array(address).max(100), rewardConfig], (node, wanted, config) => {
    if (config.commitment === 'processed')
      throw invalidParams('commitment below `confirmed` is not supported');
    const { slotsPerEpoch } = node.engine;
    const slot = contextSlot(node, config);
    const epoch = config.epoch ?? Math.max(Math.floor(slot / slotsPerEpoch) - 1, 0);
    const paidIn = (epoch + 1) * slotsPerEpoch;
    if (paidIn > slot) throw blockNotAvailable(paidIn);
    return wanted.map(() => null);
  }),
};
