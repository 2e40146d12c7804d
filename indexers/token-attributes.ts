import type { TokenAttributes, TokenDocumentObserved } from '../contracts/chain/ton-token-observations';
import { imageDigest, imageIn } from './image-type';
import { isInvisible, withoutOverrides } from '../contracts/text/visible-text';

/** Characters that are stored of what a token says of itself. */
export const TEXT_LIMITS = { name: 256, symbol: 64, description: 4_096, trait: 256 } as const;
const MAX_TRAITS = 64;
const MAX_URL_CHARACTERS = 1_024;

/** TEP-64: 0 to 255. */
const DECIMALS = /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

/**
 * Text, cut after `max` characters, without control characters and halves of surrogate pairs, which stores and terminals do
 * not take, and without what shows it in another order than it has. Null when nothing is left to see.
 */
export function readText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const text = withoutOverrides(value.slice(0, max).replace(/(?![\t\n])\p{Cc}/gu, ''));
  return isInvisible(text) ? null : Buffer.from(text, 'utf8').toString('utf8').trim();
}

/** As `readText`, on one line. */
export function readLine(value: unknown, max: number): string | null {
  return readText(typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value, max);
}

/** As `readText`, for a URL: one that is too long is none. */
export function readUrl(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_URL_CHARACTERS
    ? readText(value, MAX_URL_CHARACTERS)
    : null;
}

/** Decimals as a number or as text; null for anything else. */
export function readDecimals(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim();
  return DECIMALS.test(text) ? Number(text) : null;
}

/** The text of bytes; null for what is not UTF-8. */
export function utf8(bytes: Buffer | null): string | null {
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reads a value that a token has under a name; null when it has none. */
export type ReadValue = (name: string) => Buffer | null;

const isDataUrl = (bytes: Buffer): boolean => /^\s*data:/i.test(bytes.toString('latin1', 0, 32));

/** The image that a token itself contains: `image_data` (TEP-64), or a `data:` URL in place of the URL of the image. */
export function containedImage(read: ReadValue): Buffer | null {
  const [image, data] = [read('image'), read('image_data')];
  return (image && isDataUrl(image) && imageIn(image)) || (data && imageIn(data));
}

/** Where the image of a token is, and which one it contains. */
export function imageFields(read: ReadValue): Pick<TokenAttributes, 'image' | 'imageDigest'> {
  const [image, contained] = [read('image'), containedImage(read)];
  return {
    image: image && isDataUrl(image) ? null : readUrl(utf8(image)),
    ...(contained && { imageDigest: imageDigest(contained) }),
  };
}

/** The image that the JSON document of a token contains; null when there is none. */
export function imageInDocument(document: unknown): Buffer | null {
  const field = fieldsOf(document);
  return field && containedImage(bytesOf(field));
}

const bytesOf =
  (field: (name: string) => unknown): ReadValue =>
  name => {
    const value = field(name);
    return typeof value === 'string' ? Buffer.from(value) : null;
  };

/** What the JSON document of a token says (TEP-64, TEP-176); null when it is not an object. */
export function documentIn(document: unknown): TokenDocumentObserved {
  const field = fieldsOf(document);
  return (
    field && {
      ...attributesIn(field),
      traits: traitsIn(field('attributes')),
      lottie: readUrl(field('lottie')),
    }
  );
}

/** The fields of an object; null for anything else. */
function fieldsOf(value: unknown): ((name: string) => unknown) | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return name => (Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null);
}

/** What marketplaces show of an item: a list of `{trait_type, value}`. What is malformed is left out. */
function traitsIn(list: unknown): { traitType: string; value: string }[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_TRAITS).flatMap(entry => {
    const field = fieldsOf(entry);
    const given = field?.('value');
    const traitType = readLine(field?.('trait_type'), TEXT_LIMITS.trait);
    const value = readLine(typeof given === 'number' ? String(given) : given, TEXT_LIMITS.trait);
    return traitType === null || value === null ? [] : [{ traitType, value }];
  });
}

function attributesIn(field: (name: string) => unknown): TokenAttributes {
  return {
    name: readLine(field('name'), TEXT_LIMITS.name),
    symbol: readLine(field('symbol'), TEXT_LIMITS.symbol),
    description: readText(field('description'), TEXT_LIMITS.description),
    ...imageFields(bytesOf(field)),
    decimals: readDecimals(field('decimals')),
    customPayloadApiUri: readUrl(field('custom_payload_api_uri')),
    mintlessMerkleDumpUri: readUrl(field('mintless_merkle_dump_uri')),
  };
}
