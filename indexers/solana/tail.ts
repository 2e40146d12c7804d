import { setTimeout as pause } from 'node:timers/promises';
import type { Finality } from '../../contracts/chain/solana';
import type { Logger } from 'pino';
import { CheckpointMoved } from '../../contracts/ports/documents';
import { ahead } from './ahead';
import { tipOf } from './frontier';
import { Hole } from './hole';
import type { Publisher } from './publisher';
import type { RawBlock } from './raw';
import type { Absent, Found, SolanaSource } from './source';
import type { SolanaIndexerHooks } from './status';
import { WrongNetwork } from './wrong-network';

export interface TailOptions {
  /** Blocks read at a time; default 4. */
  readonly inFlight?: number;
  /** Milliseconds to wait for news of a slot; default 1,000. */
  readonly poll?: number;
  /** Blocks that may be open, that is published and not final, before the tail waits; default 1,024. */
  readonly mostOpen?: number;
}

export interface Tail {
  /** Follows the chain until the signal. @throws WrongNetwork; CheckpointMoved when the stored frontier is another */
  run(signal: AbortSignal): Promise<void>;
  readonly tip: number | null;
  readonly hole: { readonly slot: number; readonly reason: string } | null;
}

/** A listed block that is refused this often in a row is a hole. */
const PATIENCE = 5;
/** Slots asked for at a time, and the most that `getBlocks` allows. */
const SPAN = 1_000;
const WIDEST_SPAN = 500_000;

/**
 * Follows a chain block by block. Slots are not heights: that nothing lies between two blocks is known only from the
 * later one naming the earlier as its parent. So a slot counts as skipped once a block after it skips it, whatever
 * nodes answer for it, and a block whose parent is not our tip is either preceded by one we miss or on another fork.
 */
export function createTail(deps: {
  readonly source: SolanaSource;
  readonly publisher: Publisher;
  readonly logger: Logger;
  readonly hooks: SolanaIndexerHooks;
  readonly options?: TailOptions;
}): Tail {
  const { source, publisher, logger, hooks } = deps;
  const { inFlight = 4, poll = 1_000, mostOpen = 1_024 } = deps.options ?? {};
  let tip: number | null = null;
  let hole: Tail['hole'] = null;
  let refused = { slot: -1, times: 0 };

  const ours = () => tipOf(publisher.frontier);

  /** One look at the chain; true when the frontier moved. */
  async function round(signal: AbortSignal): Promise<boolean> {
    const final = await source.slot('finalized');
    await settle(final);
    tip = await source.slot('confirmed');
    await publisher.see({ newest: tip, hole });
    const slots = await listed(tip);
    const finalityOf = (slot: number): Finality => (slot <= final ? 'finalized' : 'confirmed');
    const read = async (slot: number) => ({ slot, outcome: await source.block(slot, finalityOf(slot)) });
    let moved = false;
    for await (const { slot, outcome } of ahead(slots, inFlight, read)) {
      if (signal.aborted) return moved;
      if (publisher.frontier.open.length >= mostOpen)
        throw new Hole(slot, 'blocks have ceased to become final');
      if ('absent' in outcome) return refuse(slot, outcome.absent) || moved;
      await accept(outcome.found, finalityOf);
      hole = null;
      moved = true;
    }
    return moved;
  }

  /** The next slots that have a block, however long the run of skipped ones before them. */
  async function listed(tip: number): Promise<readonly number[]> {
    const from = ours().slot + 1;
    for (let span = SPAN; from <= tip; span = Math.min(span * 10, WIDEST_SPAN)) {
      const to = Math.min(tip, from + span - 1);
      const slots = await source.slots(from, to, 'confirmed');
      if (slots.length > 0 || to === tip || span === WIDEST_SPAN) return slots;
    }
    return [];
  }

  function refuse(slot: number, absent: Absent): false {
    refused = { slot, times: refused.slot === slot ? refused.times + 1 : 1 };
    if (absent === 'pruned' || refused.times >= PATIENCE)
      throw new Hole(slot, `the block is listed but ${absent}`);
    return false;
  }

  /** Appends a block, after those between it and our tip, and after taking back those of ours it does not descend from. */
  async function accept(block: RawBlock, finalityOf: (slot: number) => Finality): Promise<void> {
    for (let next = block; ;) {
      const { slot, blockhash } = ours();
      if (next.parentSlot > slot) next = await parentOf(next, finalityOf);
      else if (next.parentSlot < slot || next.previousBlockhash !== blockhash) await abandonTip(next);
      else {
        await publisher.append(next, finalityOf(next.slot));
        if (next === block) return;
        next = block;
      }
    }
  }

  async function parentOf(block: RawBlock, finalityOf: (slot: number) => Finality): Promise<RawBlock> {
    const slot = block.parentSlot;
    const outcome: Found<RawBlock> = await source.block(slot, finalityOf(slot));
    if ('absent' in outcome) throw new Hole(slot, `parent of block ${block.slot}, but ${outcome.absent}`);
    if (outcome.found.blockhash !== block.previousBlockhash)
      throw new Hole(slot, `parent of block ${block.slot}, but the source shows another block there`);
    return outcome.found;
  }

  async function abandonTip(because: { readonly slot: number }): Promise<void> {
    logger.warn({ abandoned: ours().slot, because: because.slot }, 'solana fork: block abandoned');
    await publisher.abandonTip();
  }

  /** Marks what became final. One block that is on the final chain vouches for its ancestors. */
  async function settle(final: number): Promise<void> {
    const candidates = publisher.frontier.open.filter(({ slot }) => slot <= final).reverse();
    for (const { slot, blockhash } of candidates.slice(0, PATIENCE)) {
      const outcome = await source.header(slot, 'finalized');
      if ('absent' in outcome) continue; // a laggard, or abandoned: the next block will name its parent
      if (outcome.found.blockhash === blockhash) return publisher.finalize(slot);
      while (publisher.frontier.open.some(open => open.slot >= slot)) await abandonTip(outcome.found);
    }
  }

  return {
    get tip() {
      return tip;
    },
    get hole() {
      return hole;
    },
    async run(signal) {
      for (let failures = 0; !signal.aborted;) {
        try {
          const moved = await round(signal);
          failures = 0;
          if (!moved && !signal.aborted) await source.woken(poll);
        } catch (error) {
          if (signal.aborted) return;
          // A frontier that has moved without us is to be loaded anew; trying again with ours would never succeed.
          if (error instanceof WrongNetwork || error instanceof CheckpointMoved) throw error;
          if (error instanceof Hole) hole = { slot: error.slot, reason: error.reason };
          await publisher.see({ newest: tip, hole }).catch(() => {}); // told again in the next round
          logger.warn({ error: String(error), frontier: ours().slot }, 'solana tail is held up');
          hooks.failed?.(error);
          await pause(Math.min(poll * 2 ** failures++, 30_000), undefined, { signal }).catch(() => {});
        }
      }
    },
  };
}
