const MAX_LENGTH = 4_000;

/** A handler's error as text that every engine can store. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (text.slice(0, MAX_LENGTH) as string & { toWellFormed(): string })
    .toWellFormed()
    .replaceAll('\0', '\ufffd');
}
