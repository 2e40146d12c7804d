import type { ObservationSource } from '../../../contracts/observation/observation';
import { parseUrl } from '../../../contracts/url/parse-url';
import { registrableDomain } from '../../../contracts/url/web-domain';

const IPFS = /^ipfs:\/\/(?:ipfs\/)?/;
const IPFS_GATEWAY = 'https://ipfs.io/ipfs/';

/** Where a URI of token content can be read and shown: `ipfs:` by a gateway. */
export function gatewayUrl(uri: string): string {
  return uri.replace(IPFS, IPFS_GATEWAY);
}

/** Reads at a time in one process. */
export const PUBLIC_WEB_SLOTS = 16;

/** Servers that anyone may have named, by URI: slow ones delay neither a chain nor each other. */
export const PUBLIC_WEB: ObservationSource<string | { readonly uri: string }> = {
  name: 'public-web',
  maxConcurrent: PUBLIC_WEB_SLOTS,
  siteOf: subject => siteOf(typeof subject === 'string' ? subject : subject.uri),
};

/** Of what is read by the gateway the content (its CID): that nobody has it says nothing of the gateway. */
export function siteOf(uri: string): string {
  const url = gatewayUrl(uri);
  if (url.startsWith(IPFS_GATEWAY)) return `ipfs ${url.slice(IPFS_GATEWAY.length).split(/[/?#]/)[0]}`;
  const parsed = parseUrl(url);
  return parsed ? registrableDomain(parsed.hostname) : 'none';
}
