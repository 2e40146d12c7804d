import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckpointRecord, Journal } from './journal';

/** How long a pending commit is left to its writer, which is most likely still running. */
const WRITER_TIMEOUT_MS = 2_000;
const POLL_MS = 10;
const KEEP_ABANDONED_MS = 86_400_000;

/** Reads a checkpoint that has no pending commit: waits for the writer of one, then completes it. */
export async function readCheckpoint(journal: Journal, name: string): Promise<CheckpointRecord | null> {
  let record = await journal.checkpoint(name);
  for (let pending = record?.intent?.commit, deadline = Date.now() + WRITER_TIMEOUT_MS; record?.intent;) {
    if (Date.now() < deadline) await sleep(POLL_MS);
    else await journal.recoverForReaders({ checkpoint: name });
    record = await journal.checkpoint(name);
    if (record?.intent && record.intent.commit !== pending) {
      pending = record.intent.commit;
      deadline = Date.now() + WRITER_TIMEOUT_MS;
    }
  }
  return record;
}

/** Completes the commits of writers that have died. */
export async function recoverPending(journal: Journal): Promise<void> {
  let pending = await journal.pending();
  for (const deadline = Date.now() + WRITER_TIMEOUT_MS; pending.length > 0 && Date.now() < deadline;) {
    await sleep(POLL_MS);
    const still = new Set((await journal.pending()).map(({ commit }) => commit));
    pending = pending.filter(({ commit }) => still.has(commit));
  }
  for (const { ref } of pending) await journal.recover(ref);
  await journal.removeAbandoned(new Date(Date.now() - KEEP_ABANDONED_MS));
}
