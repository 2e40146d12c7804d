import type { ListWait } from '../../../services/reads/read-list';
import { createWaitLimit } from '../../../services/reads/read-until';
import type { Config } from '../../config/settings';

/** How long a read waits for data that is being fetched or projected. */
export const READ_WAIT_MS = 2_500;

/** How long a read waits for what somebody else does: applications wait no longer than 30 seconds for an answer. */
const LONG_POLL_MS = 25_000;

export interface ReadWait extends Required<ListWait> {
  readonly waitMs: number;
  readonly longPollMs: number;
}

/** The limit is that of the whole process: what waits costs memory and reads again, whatever it is about. */
export function createReadWait({ MAX_WAITING_READS, LIST_WAIT_SECONDS }: Config): ReadWait {
  return {
    waitMs: READ_WAIT_MS,
    longPollMs: LONG_POLL_MS,
    listWaitMs: LIST_WAIT_SECONDS * 1_000,
    waitLimit: createWaitLimit(MAX_WAITING_READS),
  };
}
