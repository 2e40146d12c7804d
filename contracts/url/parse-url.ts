/**
 * An absolute URL; null for what is none. Not `URL.canParse`: that of Node 20, once it is optimized, says no to a URL with Latin-1
 * characters such as `ü`.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
