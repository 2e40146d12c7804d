import { z } from 'zod';
import { Refused } from '../chain/transaction-processor';
import { invalidParams, refusedTransaction } from './error';
import { BLOCKHASH_AGE, headerAt, openBlockOf, usableBlockhash } from '../chain/unfinalized';
import {
  type Context,
  contextSlot,
  method,
  type Method,
  type Node,
  NODE_VERSION,
  withContext,
} from './method';
import { address, anyContext, blockhash, u64 } from './params';

/** 1,000 SOL. */
const MAX_AIRDROP = 1_000 * 1_000_000_000;

/** As the nodes of the real network keep them. */
const MAX_SAMPLES = 720;
const SAMPLE_SECONDS = 60;

const heightAt = ({ chain: { unfinalized } }: Node, { commitment }: Context): number =>
  commitment === 'processed' ? openBlockOf(unfinalized).height : headerAt(unfinalized, commitment).height;

/** Methods about the cluster. */
export const CLUSTER_METHODS: Readonly<Record<string, Method>> = {
  getSlot: method([anyContext], contextSlot),
  getBlockHeight: method([anyContext], (node, context) => {
    contextSlot(node, context);
    return heightAt(node, context);
  }),
  getEpochInfo: method([anyContext], (node, context) => {
    const { slotsPerEpoch } = node.engine;
    const absoluteSlot = contextSlot(node, context);
    return {
      absoluteSlot,
      blockHeight: heightAt(node, context),
      epoch: Math.floor(absoluteSlot / slotsPerEpoch),
      slotIndex: absoluteSlot % slotsPerEpoch,
      slotsInEpoch: slotsPerEpoch,
    };
  }),
  getEpochSchedule: method([], ({ engine: { slotsPerEpoch } }) => ({
    slotsPerEpoch,
    leaderScheduleSlotOffset: slotsPerEpoch,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  })),
  getRecentPerformanceSamples: method([u64.max(MAX_SAMPLES).nullish()], ({ chain }, limit) =>
    chain.queries.performance(chain.unfinalized.root, SAMPLE_SECONDS, limit ?? MAX_SAMPLES).map(sample => ({
      ...sample,
      numNonVoteTransactions: sample.numTransactions,
      samplePeriodSecs: SAMPLE_SECONDS,
    })),
  ),
  getLatestBlockhash: method([anyContext], (node, context) => {
    const { blockhash, height } = headerAt(node.chain.unfinalized, context.commitment);
    return withContext(node, context, { blockhash, lastValidBlockHeight: height + BLOCKHASH_AGE });
  }),
  isBlockhashValid: method([blockhash, anyContext], (node, hash, context) => {
    const height = usableBlockhash(node.chain.unfinalized, hash);
    return withContext(node, context, height !== null && height <= heightAt(node, context));
  }),
  getRecentPrioritizationFees: method([z.array(address).max(128).nullish()], ({ chain }) =>
    chain.unfinalized.recent
      .slice(0, BLOCKHASH_AGE)
      .map(({ slot, price }) => ({ slot, prioritizationFee: price }))
      .reverse(),
  ),
  getMinimumBalanceForRentExemption: method([u64.max(10 * 1024 * 1024), anyContext], ({ engine }, bytes) =>
    engine.rentExemptMinimum(bytes),
  ),
  requestAirdrop: method([address, u64.max(MAX_AIRDROP), anyContext], async ({ faucet }, to, amount) => {
    if (to === faucet.address) throw invalidParams('0: the faucet cannot fund itself');
    try {
      return await faucet.airdrop(to, BigInt(amount));
    } catch (error) {
      throw error instanceof Refused ? refusedTransaction(error) : error;
    }
  }),
  getGenesisHash: method([], ({ chain }) => chain.genesisHash),
  getVersion: method([], () => ({ 'feature-set': 0, 'solana-core': NODE_VERSION })),
  getHealth: method([], () => 'ok'),
};
