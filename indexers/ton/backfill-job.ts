import { z } from 'zod';
import { WATCH_CATEGORY } from '../../contracts/events/watch';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../../contracts/network';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { NewJob } from '../../contracts/ports/jobs';
import { watchedTonAccount } from './watched';

/** A worker reads one network: the one its source is of. */
export function backfillQueue(network: TonNetwork): string {
  return `ton-backfill-${network}`;
}

export const BackfillTurn = z.object({
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  address: z.string(),
  turn: z.int(),
  /** Turns in a row that failed. */
  failures: z.int(),
});
export type BackfillTurn = z.output<typeof BackfillTurn>;

/** A long history is a chain of jobs, each adding the next one: it outlives every crash and outage and hogs nothing. */
export function backfillJob(turn: BackfillTurn, delay = 0): NewJob {
  return {
    queue: backfillQueue(turn.network),
    id: `${accountKey({ chain: 'ton', network: turn.network, address: turn.address })}/${turn.turn}`,
    data: turn,
    delay,
  };
}

/** The reaction to a newly watched account: to read its history. */
export const tonBackfillReaction = {
  name: 'ton-backfill',
  categories: [WATCH_CATEGORY],
  from: 'beginning',
  jobs(event: RecordedEvent): NewJob[] {
    const watched = watchedTonAccount(event);
    if (!watched) return [];
    const { network, address } = watched;
    return [backfillJob({ network, address, turn: 0, failures: 0 })];
  },
} as const;
