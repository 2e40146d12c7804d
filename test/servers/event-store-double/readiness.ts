import { setTimeout as pause } from 'node:timers/promises';
import type { NodeState } from './node-state';
import type { ServerLog } from './server-log';

/** How long a node takes nothing after its start, as the server does. */
const STARTING_MS = 300;

/** How it answers meanwhile, and while it knows no leader. */
export const NOT_READY = {
  rejectsAppends: 'Server Is Not Ready',
  rejectsReads: 'Server Is Not Ready',
} as const satisfies Partial<NodeState>;

export const READY = { rejectsAppends: null, rejectsReads: null } as const satisfies Partial<NodeState>;

/** Then twice as many each time, since others go on writing. */
const FIRST_RECORDS = 20;
const BETWEEN_MS = 10;

/** A node has started: it soon takes requests. */
export async function becomeReady(state: NodeState): Promise<void> {
  await pause(STARTING_MS);
  Object.assign(state, READY);
}

/** A node has started again: it soon takes requests, and receives bit by bit what was recorded without it. */
export async function catchUp(state: NodeState, log: Pick<ServerLog, 'readAll'>): Promise<void> {
  await becomeReady(state);
  for (let limit = FIRST_RECORDS; state.replicated !== null; limit *= 2) {
    let received = 0;
    for await (const events of log.readAll({ after: state.replicated, limit })) {
      received += events.length;
      state.replicated = events.at(-1)!.position;
    }
    if (received < limit) state.replicated = null;
    else await pause(BETWEEN_MS);
  }
}
