const MINUTE_MS = 60_000;

/** Days and months of an account's time zone: `2026-11-23` and `2026-11`. Later ones are greater as text. */
export interface Windows {
  readonly day: string;
  readonly month: string;
}

/** @param at RFC 3339 UTC instant @param tzOffset minutes east of UTC */
export function windowsOf(at: string, tzOffset: number): Windows {
  const local = new Date(Date.parse(at) + tzOffset * MINUTE_MS).toISOString();
  return { day: local.slice(0, 10), month: local.slice(0, 7) };
}

/** When the day and the month end that an instant is in: milliseconds since 1970. */
export function deadlinesOf(at: string, tzOffset: number): { readonly day: number; readonly month: number } {
  const local = new Date(Date.parse(at) + tzOffset * MINUTE_MS);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  return {
    day: Date.UTC(year, month, local.getUTCDate() + 1) - tzOffset * MINUTE_MS,
    month: Date.UTC(year, month + 1, 1) - tzOffset * MINUTE_MS,
  };
}
