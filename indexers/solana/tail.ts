import type { Logger } from 'pino';
import type { Finality } from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network/network';
import { CheckpointMoved } from '../../contracts/ports/documents';
import { retryForever } from '../../contracts/retry/retry';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import { concurrentMap } from '../concurrent-map';
import { Gap } from '../gap';
import { isOutage } from '../outage-log';
import { createBranch } from './branch';
import { indexedBlock, UNKNOWN_STATUS, type TailStatus } from './cursor';
import type { Publisher } from './publisher';
import type { Absent, SolanaSource } from './source';

export interface TailOptions {
  /** Blocks read at a time; default 4. */
  readonly concurrency?: number;
  /** Longest wait in milliseconds before looking for a new slot that no notification has told of; default 3,000. */
  readonly pollMs?: number;
  /** Longest wait in milliseconds before what failed is tried again; default 5,000. */
  readonly maxRetryMs?: number;
  /** Published blocks that are not final, before the tail waits; default 1,024. */
  readonly maxUnfinalized?: number;
}

export interface Tail {
  /**
   * Follows the chain until the signal.
   * @throws CheckpointMoved when the stored cursor is not the publisher's
   */
  run(signal: AbortSignal): Promise<void>;
  readonly status: TailStatus;
}

/** A listed block that is absent this often in a row is a gap. */
const MAX_ATTEMPTS = 5;
/** Slots listed by the first call, and the limit of `getBlocks`. */
const MIN_LISTED = 1_000;
const MAX_LISTED = 500_000;

/** Follows a chain block by block, and publishes each after its parent. */
export function createTail(
  deps: TailOptions & {
    readonly network: SolanaNetwork;
    readonly source: SolanaSource;
    readonly publisher: Publisher;
    readonly logger: Logger;
  },
): Tail {
  const { network, source, publisher, logger } = deps;
  const { concurrency = 4, pollMs = 3_000, maxRetryMs = 5_000, maxUnfinalized = 1_024 } = deps;
  let status = UNKNOWN_STATUS;
  let absent = { slot: -1, times: 0 };

  const branch = createBranch(deps);
  const last = () => indexedBlock(publisher.cursor);

  /** Reads up to the tip of the chain once; true when the cursor moved. */
  async function readToTip(signal: AbortSignal): Promise<boolean> {
    const final = await source.slotHint('finalized');
    await branch.finalize(final);
    const tip = await source.slotHint('confirmed');
    status = { ...status, tip };
    await publisher.reportStatus(status);
    const slots = await listSlots(tip);
    const finalityOf = (slot: number): Finality => (slot <= final ? 'finalized' : 'confirmed');
    const read = async (slot: number) => ({ slot, outcome: await source.block(slot, finalityOf(slot)) });
    let moved = false;
    for await (const { slot, outcome } of concurrentMap(slots, concurrency, read)) {
      if (signal.aborted) return moved;
      if (publisher.cursor.unfinalized.length >= maxUnfinalized)
        throw new Gap(slot, 'blocks are no longer becoming final');
      if ('absent' in outcome) {
        countAbsence(slot, outcome.absent);
        return moved;
      }
      await branch.append(outcome.found, finalityOf);
      status = { ...status, gap: null };
      moved = true;
    }
    return moved;
  }

  /** The next slots that have a block, after any number of skipped ones. */
  async function listSlots(tip: number): Promise<readonly number[]> {
    const from = last().slot + 1;
    for (let count = MIN_LISTED; from <= tip; count = Math.min(count * 10, MAX_LISTED)) {
      const to = Math.min(tip, from + count - 1);
      const slots = inRange(await source.slots(from, to, 'confirmed'), from, to);
      if (slots.length > 0 || to === tip || count === MAX_LISTED) return slots;
    }
    return [];
  }

  function countAbsence(slot: number, reason: Absent): void {
    absent = { slot, times: absent.slot === slot ? absent.times + 1 : 1 };
    if (reason === 'pruned' || absent.times >= MAX_ATTEMPTS)
      throw new Gap(slot, `the block is listed but ${reason}`);
  }

  async function reportStall(error: unknown): Promise<void> {
    if (error instanceof Gap) status = { ...status, gap: { height: error.height, reason: error.reason } };
    if (error instanceof WrongNetwork)
      status = { ...status, gap: { height: last().slot + 1, reason: error.message } };
    await publisher.reportStatus(status).catch(() => undefined); // reported again in the next round
    const where = { network, indexedHeight: last().slot };
    // What asks the nodes logs that they are out.
    if (isOutage(error)) logger.debug(where, 'solana tail stalled, retrying');
    else logger.warn({ ...where, err: error }, 'solana tail stalled, retrying');
  }

  return {
    get status() {
      return status;
    },
    run: signal =>
      retryForever(
        async onProgress => {
          try {
            const moved = await readToTip(signal);
            onProgress();
            if (!moved && !signal.aborted) await source.waitForSlot(pollMs);
          } catch (error) {
            if (!isFatal(error) && !signal.aborted) await reportStall(error);
            throw error;
          }
        },
        {
          signal,
          maxDelayMs: maxRetryMs,
          onError(error) {
            if (isFatal(error)) throw error;
          },
        },
      ),
  };
}

/** Each slot once and in order, whatever the source lists: a block that comes again would look like a fork. */
const inRange = (slots: readonly number[], from: number, to: number): number[] =>
  [...new Set(slots)].filter(slot => slot >= from && slot <= to).sort((one, other) => one - other);

/** After another process has moved the cursor, a retry with ours never succeeds: it has to be loaded again. */
const isFatal = (error: unknown): boolean => error instanceof CheckpointMoved;
