/** Names that are shorter are those of other programs as often as mistyped ones. */
const MIN_LENGTH = 7;
const MAX_EDITS = 2;

/** Settings of earlier versions, and what they are called now. */
export const RENAMED_SETTINGS: Readonly<Record<string, string>> = {
  APP_LIMIT: 'MAX_STORED_APPS',
  CLIENT_ERROR_LIMIT: 'MAX_CLIENT_ERRORS',
  CONNECTION_LIMIT: 'MAX_CONNECTIONS',
  CONNECT_WAIT_LIMIT: 'MAX_WAITING_SESSION_READS',
  CONTRACT_LIMIT: 'MAX_STORED_CONTRACTS',
  PUSH_SENDER: 'PUSH_PROVIDER',
  RATES_FILE: 'PRICE_FILE',
  RATE_SOURCES: 'PRICE_SOURCES',
  READ_WAIT_LIMIT: 'MAX_WAITING_READS',
  STREAM_LIMIT: 'MAX_STREAMS',
  STREAM_LIMIT_CALLER: 'MAX_STREAMS_PER_CALLER',
  WATCH_LIMIT: 'MAX_WATCHED_ACCOUNTS',
};

/**
 * A line for each name that is no setting and looks like one: it would be ignored, and what it was meant for would be as if it
 * were unset.
 */
export function mistypedSettings(names: readonly string[], known: readonly string[]): string[] {
  return names.flatMap(name => {
    if (known.includes(name)) return [];
    const renamed = RENAMED_SETTINGS[name];
    if (renamed) return [`${name} is called ${renamed} now`];
    const meant = name.length < MIN_LENGTH ? undefined : known.find(each => looksLike(name, each));
    return meant === undefined ? [] : [`${name} is no setting: did you mean ${meant}?`];
  });
}

/** The beginning of it, as `TON_RPC_URL`, or it with a few letters wrong. */
const looksLike = (name: string, known: string): boolean =>
  (name.includes('_') &&
    known.startsWith(`${name}_`) &&
    known.split('_').length - name.split('_').length === 1) ||
  (known.length >= MIN_LENGTH && edits(name, known) <= MAX_EDITS);

/** Letters to add, remove, replace or swap with their neighbour: the optimal string alignment distance. */
function edits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return Infinity;
  let [before, previous]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(previous![j]! + 1, current[j - 1]! + 1, previous![j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before![j - 2]! + 1);
      current[j] = least;
    }
    [before, previous] = [previous, current];
  }
  return previous![b.length]!;
}
