import type { Age } from '../retention/retention';
import type { RemovalTimes } from './decider';

export const ACCOUNT_HISTORY: Age = {
  name: 'account_history',
  of: 'the history of an account, so long after its last watch has ended',
  days: 90,
  note: `The history of an account goes as a whole, once nobody has read the account for \`WATCH_EXPIRY_DAYS\` and then the days of the table: records
on the log remove its documents, in a later rebuild too, and then its own records go. A read meanwhile is a 503 \`not_ready\`; the next one
has the account watched and its history read again. Kafka cannot delete single records: there they stay for as long as the topic keeps
them. Records of a jetton or NFT that another account was sent without a notification stay, since only they tell of it. Observations have
an age of their own. With \`INDEX_SCOPE=all\` no history goes.`,
};

const DAY_MS = 86_400_000;
/** What a read waits for at most when the worker of a removal was killed, but for the grace. */
const CLAIM_MS = 120_000;

/**
 * @param days after the end of the last watch
 * @param graceMs milliseconds that a record may take to the log
 */
export function removalTimes(days: number, graceMs: number): RemovalTimes {
  return { removeAfterMs: days * DAY_MS, claimMs: CLAIM_MS, graceMs };
}
