import { messageOf } from '../../contracts/text/error-message';
interface Closable {
  close(): Promise<void>;
}

type Openers<Opened extends readonly Closable[]> = {
  readonly [Index in keyof Opened]: () => Promise<Opened[Index]>;
};

/**
 * Opens resources concurrently. When one cannot be opened, the others are closed again.
 * @throws the error of that one, or an AggregateError whose message has one line for each error
 */
export async function openAll<Opened extends readonly Closable[]>(
  openers: readonly [...Openers<Opened>],
): Promise<Opened> {
  const outcomes = await Promise.allSettled<Closable>(openers.map(open => open()));
  const opened = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (opened.length === outcomes.length) return opened as readonly Closable[] as Opened;
  await Promise.allSettled(opened.map(each => each.close()));
  throw combine(outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : [])));
}

/** Duplicates are merged: two resources may use one server. */
function combine(reasons: readonly unknown[]): unknown {
  const all = reasons.flatMap(reason => (reason instanceof AggregateError ? reason.errors : [reason]));
  const byMessage = new Map(all.map(reason => [messageOf(reason), reason]));
  if (byMessage.size === 1) return all[0];
  return new AggregateError(byMessage.values(), [...byMessage.keys()].join('\n'));
}
