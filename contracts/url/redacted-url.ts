/**
 * A URL for logs, health and error messages: the scheme, the host and the port. Providers put their API keys into the user
 * information, the path or the query; `/…` shows that there was one.
 */
export function redactedUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname !== '/' || search !== '' ? '/…' : ''}`;
}
