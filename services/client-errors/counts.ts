/** Versions of the application that an error is counted for by name. */
const MAX_VERSIONS = 20;

/** Reports of one error. Instants are RFC 3339 UTC with milliseconds. */
export interface Counted {
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

export interface VersionCount {
  /** Null in both: not named, or of the versions beyond those that are counted. */
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly count: number;
}

/** Both together. */
export function addCounts(a: Counted, b: Counted): Counted {
  return {
    count: a.count + b.count,
    firstAt: a.firstAt < b.firstAt ? a.firstAt : b.firstAt,
    lastAt: a.lastAt > b.lastAt ? a.lastAt : b.lastAt,
  };
}

/** Counts of versions, added; those beyond the limit together. */
export function addVersions(a: readonly VersionCount[], b: readonly VersionCount[]): VersionCount[] {
  const sums = new Map<string, VersionCount>();
  for (const version of [...a, ...b]) {
    const { platform, appVersion } = version;
    const key = JSON.stringify([platform, appVersion]);
    const named = sums.has(key) || sums.size < MAX_VERSIONS;
    const at = named ? key : '';
    const sum = sums.get(at) ?? {
      platform: named ? platform : null,
      appVersion: named ? appVersion : null,
      count: 0,
    };
    sums.set(at, { ...sum, count: sum.count + version.count });
  }
  return [...sums.values()];
}
