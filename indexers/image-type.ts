import { sha256 } from '../contracts/encoding/sha256';

const MAX_PROLOG = 1_024;
const SPACE = /\ufeff?\s*/y;
const DECLARATION = /<\?xml[^>]*>\s*/iy;
const DOCUMENT_TYPE = /<!DOCTYPE[^>[]*>\s*/iy;
const ROOT = /<svg[\s>]/iy;
const [COMMENT, COMMENT_END] = ['<!--', '-->'];

/**
 * An SVG may begin with an XML declaration and comments; one that declares entities is not taken. Each part is looked for once, from
 * where the one before it ends: one expression for all would try every way to tell comments from each other.
 */
function isSvg(text: string): boolean {
  let at = 0;
  const isNext = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  isNext(SPACE);
  isNext(DECLARATION);
  while (text.startsWith(COMMENT, at)) {
    const end = text.indexOf(COMMENT_END, at + COMMENT.length);
    if (end < 0) return false;
    at = end + COMMENT_END.length;
    isNext(SPACE);
  }
  isNext(DOCUMENT_TYPE);
  return isNext(ROOT);
}

const isRiff = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** The format of an image by its first bytes, whatever anybody says of it; null for what is none that can be shown. */
export function imageType(bytes: Buffer): 'png' | 'jpeg' | 'gif' | 'webp' | 'svg' | null {
  const start = bytes.toString('latin1', 0, 4);
  if (start === '\x89PNG') return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start === 'GIF8') return 'gif';
  if (isRiff(bytes)) return 'webp';
  return isSvg(bytes.toString('utf8', 0, MAX_PROLOG)) ? 'svg' : null;
}

/** The first 16 bytes of the SHA-256 of an image, hex. */
export function imageDigest(image: Buffer): string {
  return sha256(image).toString('hex', 0, 16);
}

/** Of an image that a token contains. */
export const MAX_IMAGE_BYTES = 256 * 1024;

const DATA_URL = /^data:image\/[a-z0-9.+-]+((?:;[a-z0-9=-]+)*),/i;
const BASE64 = /^[a-z0-9+/_-]+={0,2}$/i;

/**
 * The image that a token contains (`image_data` of TEP-64): its bytes, or as many write it, their base64 or a `data:` URL.
 * Null for anything else, and for more than `MAX_IMAGE_BYTES`.
 */
export function imageIn(value: Buffer): Buffer | null {
  const image = imageType(value) === null ? decodedFrom(value.toString('latin1').trim()) : value;
  return image && image.length <= MAX_IMAGE_BYTES && imageType(image) !== null ? image : null;
}

function decodedFrom(text: string): Buffer | null {
  const [prefix, parameters = ''] = DATA_URL.exec(text) ?? [''];
  const rest = text.slice(prefix.length);
  if (prefix !== '' && !/;base64$/i.test(parameters)) return percentDecoded(rest);
  const base64 = rest.replace(/\s+/g, '');
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : null;
}

function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
