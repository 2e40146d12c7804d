import { request as send } from 'undici';
import type { PublicWeb } from '../../../contracts/ports/public-web';
import { responseBytes } from '../../../indexers/http-response';
import { HEADERS, inTime } from './public-web';

/**
 * Reads URLs of these origins from the base URL that each is given, and all others from the public web. A name under `.invalid`
 * resolves nowhere (RFC 6761), so such an origin takes nothing away from the public web. What else the server of a base URL has is
 * out of reach: the path of a URL stands below that of the base, and redirects are not followed.
 */
export function withLocalOrigins(web: PublicWeb, bases: ReadonlyMap<string, string>): PublicWeb {
  return {
    async get(text, request) {
      const url = URL.canParse(text) ? new URL(text) : null;
      const base = url && bases.get(url.origin);
      if (!url || base === undefined) return web.get(text, request);
      return inTime(request, async signal => {
        const response = await send(`${base}${url.pathname}`, { signal, headers: HEADERS });
        return responseBytes(response, request.maxBytes);
      });
    },
  };
}
