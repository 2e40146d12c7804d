import { z } from 'zod';

/** Of an image: as in the URLs that the program has given. */
export const imageDigest = z.string().regex(/^[0-9a-f]{32}$/, 'must be the digest in the URL that was given');

/** Headers of the answers that are images of strangers. */
export const IMAGE_RESPONSE_HEADERS = {
  'Cache-Control':
    'For good where the digest is that of the image; an earlier one is answered with the image of today',
  'Content-Security-Policy': 'Of a page that has nothing',
  'Cross-Origin-Resource-Policy': 'Pages of any origin may show it',
} as const;
