import { accountTopic, isRemoval, removalRecord } from '../../contracts/chain/account-records';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Log, LogMessage } from '../../contracts/ports/log';
import { sleep } from '../../contracts/retry/retry';
import type { AccountHistory, DocumentKey } from '../../projections/projection';
import type { Views } from '../../projections/views';
import { createRemovalClaims, type ClaimDeps } from './removal-claims';

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
 * Removes what is known of accounts of one chain whose last watches ended long ago. Their documents go first: records on the log
 * name them, so that a rebuild leaves nothing either. Once all projections have folded that, the records go, those of the
 * transactions before those that name the documents: whoever reads a part of them leaves nothing. A log that cannot delete keeps
 * them. So are those kept that say something of other accounts, whose documents stay, and with them those that name documents.
 *
 * Each step depends on what there is alone: one that was interrupted is repeated, and changes nothing more where it had ended.
 * @returns false when another worker has some of the accounts, or has taken them, or a projection is rebuilt
 * @throws EngineUnavailable, DamagedData
 */
export async function removeHistories(
  deps: RemovalDeps,
  accounts: readonly AccountRef[],
  signal: AbortSignal,
): Promise<boolean> {
  const { views, log } = deps;
  const first = accounts[0];
  if (!first) return true;
  const topic = accountTopic(first);
  // Nobody could read the accounts until a rebuild that has begun ends.
  if ((await deps.foldedRecordsByAll(topic)) === null) return false;
  const claims = createRemovalClaims(deps, accounts);
  if ((await claims.current()).length === 0) return !claims.hasOthers;
  const histories = deps.histories(topic);

  /** @returns where the topic ended, in each partition, before all projections had folded it up to there */
  async function folded(): Promise<readonly number[]> {
    const ends = await log.endOffsets(topic);
    for (;;) {
      const reached = await deps.foldedRecordsByAll(topic);
      if (reached && ends.every((end, partition) => reached[partition]! >= end)) return ends;
      await sleep(POLL_MS, signal);
      signal.throwIfAborted();
      await claims.current();
    }
  }

  async function documentsOf(account: AccountRef): Promise<readonly DocumentKey[]> {
    return (await Promise.all(histories.map(history => history.documents(views, account)))).flat();
  }

  /**
   * @returns an offset of each partition: of the records before it no document is left
   * @throws Error when records have no effect, so that they are not published for ever
   */
  async function removeDocuments(): Promise<readonly number[]> {
    for (let previous = ''; ;) {
      const ends = await folded();
      const claimed = await claims.current();
      const found = await Promise.all(
        claimed.map(async ({ account, until }) => ({ account, until, keys: await documentsOf(account) })),
      );
      const left = found.filter(({ keys }) => keys.length > 0);
      if (left.length === 0) return ends;
      const named = JSON.stringify(left.map(({ keys }) => keys));
      if (named === previous)
        throw new Error(
          'documents stay that were removed: the clock of the log differs from that of this process',
        );
      previous = named;
      const records = left.map(({ account, until, keys }) =>
        removalRecord(account, idsByCollection(keys), until),
      );
      await log.publish(topic, records);
      signal.throwIfAborted();
    }
  }

  async function deleteRecords(
    account: AccountRef,
    before: readonly number[],
    isDeletable: (record: LogMessage) => boolean,
  ): Promise<void> {
    await log.deleteMessages?.({ topic, key: accountKey(account), before }, isDeletable);
  }

  const tellsOfOthers = (record: LogMessage): boolean =>
    histories.some(history => history.tellsOfOthers?.(record) === true);

  /** Leaves the records that take documents. @returns whether others are left, which say something of other accounts */
  async function deleteHistory(account: AccountRef, before: readonly number[]): Promise<boolean> {
    let isLeft = false;
    await deleteRecords(account, before, record => {
      if (isRemoval(account, record)) return false;
      const isKept = tellsOfOthers(record);
      isLeft ||= isKept;
      return !isKept;
    });
    return isLeft;
  }

  const before = await removeDocuments();
  if (log.deleteMessages) {
    const kept = new Set<AccountRef>();
    for (const { account } of await claims.current())
      if (await deleteHistory(account, before)) kept.add(account);
    // The last record of a partition is never deleted: one that names no document comes after those that do.
    const ending = (await claims.current()).filter(({ account }) => !kept.has(account));
    await log.publish(
      topic,
      ending.map(({ account, until }) => removalRecord(account, {}, until)),
    );
    // A rebuild that began before the records were deleted has then folded what takes their documents.
    const end = await removeDocuments();
    for (const { account } of ending)
      if (!(await deleteHistory(account, end)))
        await deleteRecords(account, end, record => isRemoval(account, record));
  }
  for (const { account } of await claims.current()) await claims.end(account);
  return !claims.hasOthers;
}

function idsByCollection(keys: readonly DocumentKey[]): Record<string, string[]> {
  const ids: Record<string, string[]> = {};
  for (const { collection, id } of keys) (ids[collection] ??= []).push(id);
  return ids;
}
