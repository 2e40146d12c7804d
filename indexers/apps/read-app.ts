import { TextDecoder } from 'node:util';
import { parseUrl } from '../../contracts/url/parse-url';
import { appUrl } from '../../contracts/url/app-url';
import type { AppMetadata, AppObserved, AppPreview } from '../../contracts/chain/app-metadata';
import type { PublicWeb, WebDocument } from '../../contracts/ports/public-web';
import { previewOf } from '../image-preview';
import { readLine, readUrl, TEXT_LIMITS } from '../token-attributes';
import { HostBusy } from './host-limit';
import { readTonConnectManifest, readWebAppManifest } from './manifests';
import { readPage, type Icon } from './page';
import { jsonOrNull } from '../../contracts/json/read-json';

const MAX_PAGE_BYTES = 512 * 1024;
const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 5_000;
/** Images that are tried until one is decoded. */
const MAX_IMAGES = 3;

const HTML = ['text/html', 'application/xhtml+xml'];
/** Files of static hosts are often not served as JSON. */
const JSON_TYPES = [
  'application/json',
  'application/manifest+json',
  'text/json',
  'text/plain',
  'application/octet-stream',
];
const IMAGES = ['image/*', 'application/octet-stream'];

const TON_CONNECT_MANIFEST = '/tonconnect-manifest.json';

/** Of `image/*`, what no preview is made of. */
const UNDECODED = /\.(?:svgz?|ico)$/i;

interface AppReading {
  readonly web: PublicWeb;
  /** Whose turn the decoding of its images takes. */
  readonly caller: string;
  /** Called before each request. @throws HostBusy */
  readonly admit: (hostname: string) => Promise<void>;
  /** Milliseconds that the next request may take; 0 or less: it is not made. Default: five seconds each. */
  readonly timeLimit?: () => number;
}

/**
 * What an application says of itself: its manifest for TON Connect, then its web app manifest, then its page. Null when nothing
 * of it can be read. @param url as `appUrl` writes it @throws HostBusy when a host was read too often
 */
export async function readApp(
  { web, caller, admit, timeLimit = () => TIMEOUT_MS }: AppReading,
  url: string,
  signal: AbortSignal,
): Promise<AppObserved> {
  const read = async (address: string, maxBytes: number, accept: readonly string[]) => {
    const timeoutMs = timeLimit();
    if (timeoutMs <= 0) return null;
    const limits = { maxBytes, timeoutMs, signal };
    try {
      return await web.read(address, { ...limits, accept, admit: ({ hostname }) => admit(hostname) });
    } catch (error) {
      // What cannot be read is not said; that the program is stopping, or may not ask, says nothing of the application.
      if (signal.aborted || error instanceof HostBusy) throw error;
      return null;
    }
  };
  const readJson = async (address: string) => {
    const document = await read(address, MAX_MANIFEST_BYTES, JSON_TYPES);
    return (
      document && {
        at: document.url,
        json: jsonOrNull(document.bytes.toString('utf8').replace(/^\ufeff/, '')),
      }
    );
  };

  const [pageDocument, tonConnect] = await Promise.all([
    read(url, MAX_PAGE_BYTES, HTML),
    readTonConnect(url, async address => (await readJson(address))?.json),
  ]);
  const page = pageDocument && readPage(textOf(pageDocument));
  const pageUrl = page && resolved(page.base ?? '', pageDocument!.url);
  const manifestUrl = page?.manifest ? resolved(page.manifest, pageUrl!) : null;
  const manifestDocument = manifestUrl === null ? null : await readJson(manifestUrl);
  const manifest = readWebAppManifest(manifestDocument?.json);
  if (!page && !tonConnect) return null;

  const images = [
    ...(tonConnect?.icon ? [resolved(tonConnect.icon, url)] : []),
    ...imagesOf(manifest, manifestDocument?.at ?? null),
    ...imagesOf(page, pageUrl),
  ].filter(image => image !== null);
  const { originalImage, preview } = await readImages([...new Set(images)], async image => {
    const document = await read(image, MAX_IMAGE_BYTES, IMAGES);
    return document && (await tryPreview(document.bytes, { caller, signal }));
  });
  return {
    title:
      readLine(tonConnect?.name, TEXT_LIMITS.name) ??
      readLine(manifest?.name, TEXT_LIMITS.name) ??
      readLine(page?.name, TEXT_LIMITS.name) ??
      readLine(page?.title, TEXT_LIMITS.name),
    description:
      readLine(manifest?.description, MAX_DESCRIPTION) ?? readLine(page?.description, MAX_DESCRIPTION),
    color: colorOf(manifest?.color) ?? colorOf(page?.color),
    originalImage,
    preview,
  };
}

const MAX_DESCRIPTION = 1_024;

/** That of the application itself, or that of its host when it says that it is of the application. */
async function readTonConnect(url: string, readJson: (address: string) => Promise<unknown>) {
  const { origin, pathname } = parseUrl(url)!;
  const [own, ofHost] = await Promise.all([
    readJson(`${url}${TON_CONNECT_MANIFEST}`).then(readTonConnectManifest),
    pathname === '/' ? null : readJson(`${origin}${TON_CONNECT_MANIFEST}`).then(readTonConnectManifest),
  ]);
  if (own) return own;
  return ofHost && appUrl(ofHost.url ?? '') === url ? ofHost : null;
}

/** Tries one image after the other, until there is a preview. */
async function readImages(
  images: readonly string[],
  previewAt: (image: string) => Promise<AppPreview | null>,
): Promise<Pick<AppMetadata, 'originalImage' | 'preview'>> {
  const decoded = images.filter(image => !UNDECODED.test(parseUrl(image)!.pathname));
  for (const image of decoded.slice(0, MAX_IMAGES)) {
    const preview = await previewAt(image);
    if (preview) return { originalImage: image, preview };
  }
  return { originalImage: images[0] ?? null, preview: null };
}

async function tryPreview(
  bytes: Buffer,
  asked: { readonly caller: string; readonly signal: AbortSignal },
): Promise<AppPreview | null> {
  try {
    return await previewOf(bytes, asked);
  } catch (error) {
    // That the program is stopping says nothing of the image.
    if (asked.signal.aborted) throw error;
    return null;
  }
}

function imagesOf(of: { readonly icons: readonly Icon[] } | null, base: string | null): (string | null)[] {
  return of === null || base === null ? [] : of.icons.map(({ href }) => resolved(href, base));
}

/** An absolute URL of HTTPS; null for any other. */
function resolved(href: string, base: string): string | null {
  const url = parseUrl(href.trim(), base);
  if (!url) return null;
  url.hash = '';
  return url.protocol === 'https:' && url.username === '' ? readUrl(url.href) : null;
}

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;

/** A color in hexadecimal (CSS Color 4, section 5.2), the form that wallets take, with six digits. */
function colorOf(text: string | null | undefined): string | null {
  const color = text?.trim().toLowerCase() ?? '';
  if (!COLOR.test(color)) return null;
  return color.length === 7 ? color : color.replace(/[0-9a-f]/g, digit => digit + digit);
}

/** Of the head, where a page names its encoding (https://html.spec.whatwg.org/#charset). */
const PRESCAN_BYTES = 1_024;
const CHARSET = /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i;

/** By the encoding that the server names, else the page itself; UTF-8 where neither does, or nobody knows the name. */
function textOf({ bytes, contentType }: WebDocument): string {
  const head = bytes.subarray(0, PRESCAN_BYTES).toString('latin1');
  const [, name = 'utf-8'] = CHARSET.exec(contentType) ?? CHARSET.exec(head) ?? [];
  return decoderOf(name).decode(bytes);
}

function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}
