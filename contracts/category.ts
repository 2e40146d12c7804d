/** The category of a stream, `fee` of `fee-1`: what is before its first dash. */
export function categoryOf(stream: string): string {
  return stream.split('-', 1)[0]!;
}
