/**
 * Where an answer comes from, and how old it is.
 * @param instants RFC 3339 UTC with milliseconds, of what is in the answer
 * @returns `X-Data-Sources`, and `X-Data-As-Of` with the oldest instant, which is null without any
 */
export function dataHeaders(
  sources: readonly string[],
  instants: readonly string[],
): { readonly headers: Record<string, string>; readonly asOf: string | null } {
  const asOf = [...instants].sort()[0] ?? null;
  const headers = {
    'X-Data-Sources': [...new Set(sources)].sort().join(', '),
    ...(asOf !== null && { 'X-Data-As-Of': asOf }),
  };
  return { headers, asOf };
}
