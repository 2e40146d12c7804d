import { Parser } from 'htmlparser2';
import { PREVIEW_PIXELS } from '../../contracts/chain/app-metadata';

/** An image that an application names. */
export interface Icon {
  /** Absolute, or relative to what names it. */
  readonly href: string;
  /** Pixels of a side; null where they are not named. */
  readonly size: number | null;
}

/** What an HTML page says of itself, as it is written there. */
export interface Page {
  readonly name: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly color: string | null;
  /** The best first. */
  readonly icons: readonly Icon[];
  /** Where the web app manifest is. */
  readonly manifest: string | null;
  /** What URLs of the page are relative to, where the page says so. */
  readonly base: string | null;
}

/** The head of a page is not nested; a parser compares each end of an element with all that are open. */
const MAX_DEPTH = 100;
const MAX_TITLE = 1_024;
const MAX_ICONS = 20;

/** The `name` or `property` of `meta`, and of each the first that has content. */
const NAMES = ['application-name', 'apple-mobile-web-app-title', 'og:site_name'];
const TITLES = ['og:title', 'twitter:title'];
const DESCRIPTIONS = ['description', 'og:description', 'twitter:description'];
const IMAGES = ['og:image', 'og:image:url', 'twitter:image'];

/** Reads the head of an HTML page (https://html.spec.whatwg.org/#document-metadata), whatever else is in the text. */
export function readPage(html: string): Page {
  const meta = new Map<string, string>();
  const touchIcons: Icon[] = [];
  const icons: Icon[] = [];
  const found: { title: string | null; manifest: string | null; base: string | null } = {
    title: null,
    manifest: null,
    base: null,
  };
  let depth = 0;
  let isInTitle = false;
  let isDone = false;

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (name === 'body' || depth > MAX_DEPTH) isDone = true;
      if (isDone) return;
      if (name === 'title' && found.title === null) {
        found.title = '';
        isInTitle = true;
      } else if (name === 'base') found.base ??= attributes['href'] ?? null;
      else if (name === 'meta') readMeta(attributes);
      else if (name === 'link') readLink(attributes);
    },
    ontext(text) {
      if (isInTitle && !isDone && found.title!.length < MAX_TITLE) found.title += text;
    },
    onclosetag(name) {
      depth -= 1;
      if (name === 'title') isInTitle = false;
      if (name === 'head') isDone = true;
    },
  });

  function readMeta({ name, property, content }: Readonly<Record<string, string>>): void {
    const key = (property ?? name ?? '').toLowerCase();
    if (content?.trim() && !meta.has(key)) meta.set(key, content);
  }

  function readLink({ rel = '', href, sizes }: Readonly<Record<string, string>>): void {
    const relations = rel.toLowerCase().split(/\s+/);
    if (!href) return;
    if (relations.includes('manifest')) found.manifest ??= href;
    if (relations.includes('apple-touch-icon')) touchIcons.push({ href, size: sizeOf(sizes) });
    else if (relations.includes('icon')) icons.push({ href, size: sizeOf(sizes) });
  }

  // In parts: the rest of a page is not parsed once its head has ended.
  for (let at = 0; at < html.length && !isDone; at += PART) parser.write(html.slice(at, at + PART));
  if (!isDone) parser.end();

  const first = (names: readonly string[]): string | null =>
    names.map(name => meta.get(name)).find(content => content !== undefined) ?? null;
  const image = first(IMAGES);
  return {
    name: first(NAMES),
    title: found.title?.trim() || first(TITLES),
    description: first(DESCRIPTIONS),
    color: meta.get('theme-color') ?? null,
    icons: [
      ...bySize(touchIcons),
      ...bySize(icons),
      ...(image === null ? [] : [{ href: image, size: null }]),
    ].slice(0, MAX_ICONS),
    manifest: found.manifest,
    base: found.base,
  };
}

const PART = 16 * 1024;

/** Of `sizes` of an icon, such as `192x192 256x256`: the largest. */
export function sizeOf(sizes: string | undefined): number | null {
  const all = [...(sizes ?? '').slice(0, 200).matchAll(/(\d{1,5})x\d{1,5}/gi)].map(([, size]) =>
    Number(size),
  );
  return all.length === 0 ? null : Math.max(...all);
}

/** Wanted of an image, in pixels of a side. */
const ENOUGH = PREVIEW_PIXELS;
const UNKNOWN = 100_000;

/** The smallest one that is large enough first, then those of unknown size, then smaller ones, the largest first. */
export function bySize(icons: readonly Icon[]): Icon[] {
  const rank = ({ size }: Icon): number => {
    if (size === null) return UNKNOWN;
    return size >= ENOUGH ? size : 2 * UNKNOWN - size;
  };
  return [...icons].sort((a, b) => rank(a) - rank(b));
}
