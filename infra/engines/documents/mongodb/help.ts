import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, Lane } from './journal';

/** Milliseconds for which a commit that was decided is left to its writer, who most likely is at it. */
const PATIENCE = 2_000;
const LOOK_EVERY = 10;
const DAY = 86_400_000;

/** The lane with no commit under way: waits for its writer a while, then does it for him. */
export async function settled(journal: Journal, name: string): Promise<Lane | null> {
  let lane = await journal.lane(name);
  for (let n = lane?.intent?.n, deadline = Date.now() + PATIENCE; lane?.intent;) {
    if (Date.now() < deadline) await sleep(LOOK_EVERY);
    else await journal.finish({ lane: name });
    lane = await journal.lane(name);
    if (lane?.intent && lane.intent.n !== n) {
      n = lane.intent.n;
      deadline = Date.now() + PATIENCE;
    }
  }
  return lane;
}

/** Finishes the commits that died with their writers. */
export async function takeOver(journal: Journal): Promise<void> {
  let left = await journal.open();
  for (const deadline = Date.now() + PATIENCE; left.length > 0 && Date.now() < deadline;) {
    await sleep(LOOK_EVERY);
    const still = new Set((await journal.open()).map(({ n }) => n));
    left = left.filter(({ n }) => still.has(n));
  }
  for (const { place } of left) await journal.finish(place);
  await journal.sweep(new Date(Date.now() - DAY));
}
