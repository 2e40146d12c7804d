interface Closable {
  close(): Promise<void>;
}

type Openers<Opened extends readonly Closable[]> = {
  readonly [Index in keyof Opened]: () => Promise<Opened[Index]>;
};

/**
 * Opens things side by side. When one cannot be opened, the others are closed again.
 * @throws the error of the one, or an AggregateError whose message has those of all, a line each
 */
export async function allOrNone<Opened extends readonly Closable[]>(
  openers: readonly [...Openers<Opened>],
): Promise<Opened> {
  const outcomes = await Promise.allSettled<Closable>(openers.map(open => open()));
  const opened = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (opened.length === outcomes.length) return opened as readonly Closable[] as Opened;
  await Promise.allSettled(opened.map(each => each.close()));
  throw asOne(outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : [])));
}

/** One server may be what two things want. */
function asOne(reasons: readonly unknown[]): unknown {
  const all = reasons.flatMap(reason => (reason instanceof AggregateError ? reason.errors : [reason]));
  const byMessage = new Map(all.map(reason => [messageOf(reason), reason]));
  if (byMessage.size === 1) return all[0];
  return new AggregateError(byMessage.values(), [...byMessage.keys()].join('\n'));
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));
