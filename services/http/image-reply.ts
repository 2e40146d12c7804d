import { Reply } from './call';

/** Nothing but pixels is in it; a browser that opens it as a page runs nothing all the same. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_MINUTES = 'public, max-age=300';

/** An image that was decoded and encoded again. @param webp base64 @param isNamed whether the URL has its digest, so that it never changes */
export function imageReply(webp: string, isNamed: boolean): Reply<Buffer> {
  return new Reply(Buffer.from(webp, 'base64'), {
    ...HEADERS,
    'Cache-Control': isNamed ? FOR_GOOD : FOR_MINUTES,
  });
}
