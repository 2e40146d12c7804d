import { request as send } from 'undici';
import { parseUrl } from '../../../contracts/url/parse-url';
import type { PublicWeb, WebDocument, WebRequest } from '../../../contracts/ports/public-web';
import { inTime } from '../../../contracts/retry/in-time';
import { documentOf, headersFor } from './public-web';

/**
 * Reads URLs of these origins from the base URL that each is given, and all others from the public web. A name under `.invalid`
 * resolves nowhere (RFC 6761), so such an origin takes nothing away from the public web. What else the server of a base URL has
 * is out of reach: the path of a URL stands below that of the base, and redirects are not followed.
 */
export function withLocalOrigins(web: PublicWeb, bases: ReadonlyMap<string, string>): PublicWeb {
  async function read(text: string, request: WebRequest): Promise<WebDocument> {
    const url = parseUrl(text);
    const base = url && bases.get(url.origin);
    if (!url || base === undefined) return web.read(text, request);
    await request.admit?.(url);
    return inTime(request, async signal => {
      const response = await send(`${base}${url.pathname}`, { signal, headers: headersFor(request) });
      return documentOf(response, url.href, request);
    });
  }
  return { read, get: async (url, request) => (await read(url, request)).bytes };
}
