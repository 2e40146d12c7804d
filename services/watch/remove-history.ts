import { accountTopic, isRemoval, removalRecord } from '../../contracts/chain/account-records';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Log, LogMessage } from '../../contracts/ports/log';
import { sleep } from '../../contracts/retry/retry';
import type { AccountHistory, DocumentKey } from '../../projections/projection';
import type { Views } from '../../projections/views';
import { createRemovalClaim, type ClaimDeps } from './removal-claim';

export interface RemovalDeps extends ClaimDeps {
  readonly views: Pick<Views, 'find' | 'getMany'>;
  readonly log: Pick<Log, 'publish' | 'endOffsets' | 'deleteMessages'>;
  /** What projections have of accounts, by topic. */
  histories(topic: string): readonly AccountHistory[];
  /** By partition, the offset below which all projections have folded a topic; null while that is not known. */
  foldedRecordsByAll(topic: string): Promise<readonly number[] | null>;
}

/** Milliseconds between two looks at how far projections have folded: an account waits for each of them. */
const POLL_MS = 25;

/**
 * Removes what is known of an account whose last watch ended long ago. Its documents go first: records on the log name them, so that a
 * rebuild leaves nothing either. Once all projections have folded that, its records go, those of the transactions before those
 * that name the documents: who reads a part of them leaves nothing. A log that cannot delete keeps them. So are those kept that say
 * something of other accounts, whose documents stay, and with them those that name documents.
 *
 * Each step depends on what there is alone: one that was interrupted is repeated, and changes nothing more where it had ended.
 * @returns false when another worker has the account, or has taken it, or a projection is rebuilt
 * @throws EngineUnavailable, DamagedData
 */
export async function removeHistory(
  deps: RemovalDeps,
  account: AccountRef,
  signal: AbortSignal,
): Promise<boolean> {
  const { views, log } = deps;
  const topic = accountTopic(account);
  // Nobody could read the account until a rebuild that has begun ends.
  if ((await deps.foldedRecordsByAll(topic)) === null) return false;
  const claim = createRemovalClaim(deps, account);
  if ((await claim.current()) === null) return !claim.isOthers;
  const histories = deps.histories(topic);

  /** @returns where the topic ended, in each partition, before all projections had folded it up to there */
  async function folded(): Promise<readonly number[]> {
    const ends = await log.endOffsets(topic);
    for (;;) {
      const reached = await deps.foldedRecordsByAll(topic);
      if (reached && ends.every((end, partition) => reached[partition]! >= end)) return ends;
      await sleep(POLL_MS, signal);
      signal.throwIfAborted();
      await claim.current();
    }
  }

  /**
   * @returns an offset of each partition, of the records before which no document is left; null when the claim is lost
   * @throws Error when records have no effect, so that they are not published for ever
   */
  async function removeDocuments(): Promise<readonly number[] | null> {
    for (let previous = ''; ;) {
      const ends = await folded();
      const until = await claim.current();
      if (until === null) return null;
      const keys = (await Promise.all(histories.map(history => history.documents(views, account)))).flat();
      if (keys.length === 0) return ends;
      const named = JSON.stringify(keys);
      if (named === previous)
        throw new Error(
          'documents stay that were removed: the clock of the log differs from that of this process',
        );
      previous = named;
      await log.publish(topic, [removalRecord(account, idsByCollection(keys), until)]);
      signal.throwIfAborted();
    }
  }

  const deleteRecords = async (
    before: readonly number[],
    isDeletable: (record: LogMessage) => boolean,
  ): Promise<void> =>
    void (await log.deleteMessages?.({ topic, key: accountKey(account), before }, isDeletable));

  const tellsOfOthers = (record: LogMessage): boolean =>
    histories.some(history => history.tellsOfOthers?.(record) === true);

  /** Leaves the records that take documents. @returns whether others are left, which say something of other accounts */
  async function deleteHistory(before: readonly number[]): Promise<boolean> {
    let isLeft = false;
    await deleteRecords(before, record => {
      if (isRemoval(account, record)) return false;
      const isKept = tellsOfOthers(record);
      isLeft ||= isKept;
      return !isKept;
    });
    return isLeft;
  }

  /** Of an account that has no document left. @returns false when the claim is lost */
  async function removeRecords(before: readonly number[]): Promise<boolean> {
    if ((await claim.current()) === null) return false;
    if (await deleteHistory(before)) return true;
    const until = await claim.current();
    if (until === null) return false;
    // The last record of a partition is never deleted: one that names no document comes after those that do.
    await log.publish(topic, [removalRecord(account, {}, until)]);
    // A rebuild that began before the records were deleted has then folded what takes their documents.
    const end = await removeDocuments();
    if (end === null) return false;
    if (!(await deleteHistory(end))) await deleteRecords(end, record => isRemoval(account, record));
    return true;
  }

  const before = await removeDocuments();
  const isRemoved = before !== null && (!log.deleteMessages || (await removeRecords(before)));
  if (isRemoved && (await claim.current()) !== null) await claim.end();
  return !claim.isOthers;
}

function idsByCollection(keys: readonly DocumentKey[]): Record<string, string[]> {
  const ids: Record<string, string[]> = {};
  for (const { collection, id } of keys) (ids[collection] ??= []).push(id);
  return ids;
}
