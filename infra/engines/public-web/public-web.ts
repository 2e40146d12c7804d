import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request as send } from 'undici';
import {
  WebAddressRefused,
  type PublicWeb,
  type WebDocument,
  type WebRequest,
} from '../../../contracts/ports/public-web';
import { parseUrl } from '../../../contracts/url/parse-url';
import { inTime } from '../../../contracts/retry/in-time';
import { COMPRESSED, HttpError, responseBytes, type HttpResponse } from '../../../indexers/http-response';

export interface PublicWebOptions {
  /** Resolves a host name to all its addresses; default: the system does. */
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** Which addresses may be connected to; default: those of the public internet. */
  readonly isAllowed?: (address: string) => boolean;
  /** Default: 443. */
  readonly port?: number;
  /** Certificate authorities (PEM); default: those of Node. */
  readonly ca?: string;
}

const MAX_REDIRECTS = 3;
const MAX_URL_CHARACTERS = 2_048;
const HTTPS_PORT = 443;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const ANY_TYPE = ['application/json', '*/*;q=0.5'];

/** What a server learns of its reader does not depend on who asked. */
export function headersFor({ accept = ANY_TYPE }: WebRequest): Record<string, string> {
  return { ...COMPRESSED, accept: accept.join(', '), 'user-agent': 'Tidemark' };
}

/** Names that no public resolver answers, but a local one may. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)\.?$/i;

/** Of IPv6, all that is assigned for global use: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * An address of the public internet: not private, loopback, link-local, shared (RFC 6598), multicast, translated or reserved.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/**
 * Reads over HTTPS from the public internet alone. The address is checked when the socket resolves the name, so a name that
 * resolves to another address the second time gains nothing; each redirect is checked in the same way.
 */
export function createPublicWeb(options: PublicWebOptions = {}): PublicWeb & { close(): Promise<void> } {
  const { isAllowed = isPublicAddress, port = HTTPS_PORT, ca } = options;
  const agent = new Agent({
    connections: 4,
    keepAliveTimeout: 1_000,
    maxHeaderSize: 16 * 1024,
    connect: { lookup: lookupOf(options.resolve ?? resolveAll, isAllowed), ...(ca !== undefined && { ca }) },
  });

  const read = (url: string, request: WebRequest): Promise<WebDocument> =>
    inTime(request, async signal => {
      let next = allowedUrl(url, port);
      for (let redirects = 0; ; redirects++) {
        await request.admit?.(next);
        const response = await send(next, { dispatcher: agent, signal, headers: headersFor(request) });
        if (!REDIRECTS.has(response.statusCode)) return documentOf(response, next.href, request);
        await response.body.dump();
        const { location } = response.headers;
        if (typeof location !== 'string') throw new HttpError(response.statusCode);
        if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
        next = allowedUrl(location, port, next);
      }
    });

  return {
    read,
    get: async (url, request) => (await read(url, request)).bytes,
    close: () => agent.destroy(),
  };
}

/** @throws Error when the response has no document of an accepted type */
export async function documentOf(
  response: HttpResponse,
  url: string,
  { accept, maxBytes }: Pick<WebRequest, 'accept' | 'maxBytes'>,
): Promise<WebDocument> {
  const contentType = String(response.headers['content-type'] ?? '');
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  const isAccepted = [type.trim(), type.replace(/\/.*/, '/*').trim()].some(each => accept?.includes(each));
  if (response.statusCode === 200 && accept && !isAccepted) {
    await response.body.dump();
    throw new Error(`the document is of the type ${type.slice(0, 100)}`);
  }
  return { bytes: await responseBytes(response, maxBytes), url, contentType };
}

/** @throws WebAddressRefused */
function allowedUrl(text: string, port: number, base?: URL): URL {
  if (text.length > MAX_URL_CHARACTERS) throw new WebAddressRefused('the URL is too long');
  const url = parseUrl(text, base);
  if (!url) throw new WebAddressRefused('not a URL');
  if (url.protocol !== 'https:') throw new WebAddressRefused(`${url.protocol} is not https:`);
  if (url.username !== '' || url.password !== '') throw new WebAddressRefused('the URL has credentials');
  if (Number(url.port || HTTPS_PORT) !== port) throw new WebAddressRefused(`port ${url.port} is not allowed`);
  // The parser has turned decimal, octal and hexadecimal forms into dotted ones.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) throw new WebAddressRefused('the URL names an address and not a host');
  if (LOCAL_NAME.test(host) || !host.includes('.'))
    throw new WebAddressRefused(`${host} is not a public name`);
  url.hash = '';
  return url;
}

const resolveAll = (hostname: string): Promise<readonly LookupAddress[]> =>
  new Promise((done, fail) =>
    resolve(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
  );

/** A host with one address that is not allowed is refused as a whole. */
function lookupOf(
  resolve: NonNullable<PublicWebOptions['resolve']>,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname: string, options: LookupOptions, callback) => {
    resolve(hostname).then(
      addresses => {
        const refused = addresses.find(({ address }) => !isAllowed(address));
        const [first] = addresses;
        if (refused || !first)
          callback(new WebAddressRefused(`${hostname} resolves to ${refused?.address ?? 'nothing'}`), '');
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
