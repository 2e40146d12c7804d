import type { FeatureSet } from '../feature';

/** Names that are shorter are those of other programs as often as mistyped ones, unless characters are swapped or doubled. */
const MIN_LENGTH = 7;
const MAX_EDITS = 2;

/** Names begin like this that no other program is known to have: each that is no setting is one misspelled. */
const OWN_PREFIXES = [
  ...['TON_RPC_', 'TON_URL', 'TON_ZEROSTATE', 'SOLANA_RPC_', 'SOLANA_URL', 'SOLANA_GENESIS'],
  ...['RATE_LIMIT_', 'INSTANCE_JWT_', 'PLATFORM_JWT_', 'SECURE_SESSION_', 'SECURE_ACR_'],
  ...['LOCAL_NETWORK_', 'LOCAL_TRAFFIC'],
];

/** What Kubernetes sets for each service, `rate-limit` for example. */
const OF_KUBERNETES = /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT(?:_\d+_(?:TCP|UDP|SCTP).*)?$/;

/**
 * What other programs call the addresses of engines. They may be meant for those: while the setting itself is given, they are.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  EVENTSTORE_CONNECTION_STRING: 'EVENTSTORE_URL',
  EVENTSTORE_HOST: 'EVENTSTORE_URL',
  KURRENTDB_URL: 'EVENTSTORE_URL',
  KAFKA_BOOTSTRAP_SERVERS: 'KAFKA_BROKERS',
  KAFKA_HOST: 'KAFKA_BROKERS',
  KAFKA_SASL_PASSWORD: 'KAFKA_PASSWORD',
  KAFKA_SASL_USERNAME: 'KAFKA_USERNAME',
  KAFKA_SERVERS: 'KAFKA_BROKERS',
  KAFKA_URL: 'KAFKA_BROKERS',
  MONGODB_HOST: 'MONGODB_URL',
  MONGO_URI: 'MONGODB_URL',
  REDIS_HOST: 'REDIS_URL',
};

/** Settings of earlier versions, and what they are called now. */
const RENAMED: Readonly<Record<string, string>> = {
  CONNECTION_LIMIT: 'MAX_CONNECTIONS',
  READ_WAIT_LIMIT: 'MAX_WAITING_READS',
  STREAM_LIMIT: 'MAX_STREAMS',
  STREAM_LIMIT_CALLER: 'MAX_STREAMS_PER_CALLER',
};

/** Names that are no settings, but look like those of the program. */
export interface LookalikeNames {
  readonly prefixes: readonly string[];
  readonly renamed: Readonly<Record<string, string>>;
}

/** Those of a program with these features. */
export function lookalikeNamesOf({ all }: FeatureSet): LookalikeNames {
  return {
    prefixes: [...OWN_PREFIXES, ...all.flatMap(({ settingPrefixes = [] }) => settingPrefixes)],
    renamed: Object.assign({}, RENAMED, ...all.map(({ renamedSettings }) => renamedSettings)) as Record<
      string,
      string
    >,
  };
}

/**
 * A line for each name that is no setting and looks like one: it would be ignored, and what it was meant for would be as if it
 * were unset.
 */
export function mistypedSettings(
  names: readonly string[],
  known: readonly string[],
  lookalikes: LookalikeNames,
): string[] {
  return names.flatMap(name => {
    if (known.includes(name)) return [];
    const renamed = lookalikes.renamed[name];
    if (renamed) return [`${name} is called ${renamed} now`];
    const meant = known.find(each => looksLike(name, each));
    if (meant !== undefined) return [`${name} is not a setting: did you mean ${meant}?`];
    const other = OTHER_NAMES[name];
    if (other !== undefined && !names.includes(other))
      return [`${name} is not a setting: did you mean ${other}? ${otherwise(name)}`];
    const prefix = lookalikes.prefixes.find(each => name.startsWith(each));
    if (prefix === undefined || OF_KUBERNETES.test(name)) return [];
    return [`${name} is not a setting: ${alike(prefix, known)}. ${otherwise(name)}`];
  });
}

const otherwise = (name: string): string =>
  `If it is meant for another program, leave it out: env -u ${name}`;

const MAX_LISTED = 5;

/** The settings that begin so, or where they are. */
function alike(prefix: string, known: readonly string[]): string {
  const found = known.filter(each => each.startsWith(prefix));
  return found.length > 0 && found.length <= MAX_LISTED
    ? `there are ${found.join(', ')}`
    : '.env.example has all settings';
}

/** The beginning of it, as `TON_RPC_URL`, or it with a few letters wrong. */
const looksLike = (name: string, known: string): boolean =>
  isSwapped(name, known) || isDoubled(name, known) || (name.length >= MIN_LENGTH && isLong(name, known));

/** Two neighbouring characters are swapped, as in `PROT`. */
function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((character, i) => character !== b[i]);
  return at >= 0 && `${a.slice(0, at)}${a[at + 1]}${a[at]}${a.slice(at + 2)}` === b;
}

/** A character is there twice in a row, as in `PORTT`. */
function isDoubled(name: string, known: string): boolean {
  const at = [...name].findIndex((character, i) => character !== known[i]);
  return at > 0 && name[at] === name[at - 1] && `${name.slice(0, at)}${name.slice(at + 1)}` === known;
}

const isLong = (name: string, known: string): boolean =>
  (known.startsWith(`${name}_`) &&
    name.includes('_') &&
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
    // What both rows exceed, all that follow do.
    if (Math.min(...previous!, ...current) > MAX_EDITS) return Infinity;
    [before, previous] = [previous, current];
  }
  return previous![b.length]!;
}
