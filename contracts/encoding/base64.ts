import { z } from 'zod';

/**
 * The bytes of a text in base64 (RFC 4648, section 4). Null unless the text is their one canonical form: with padding,
 * and no bit set beyond the last byte (section 3.5). Node's decoder accepts other forms, which lets a signed or hashed
 * text be altered unnoticed.
 */
export function decodeBase64(text: string): Buffer | null {
  return decode(text, 'base64');
}

/** As `decodeBase64`, of base64url without padding (RFC 4648, section 5). */
export function decodeBase64url(text: string): Buffer | null {
  return decode(text, 'base64url');
}

/** For hashes that people paste: either alphabet, with or without padding. The last character must be canonical. */
export function decodeAnyBase64(text: string): Buffer | null {
  const [, digits = null] = /^([A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/.exec(text) ?? [];
  if (digits === null) return null;
  const bytes = Buffer.from(digits, 'base64url');
  const [padded, bare] = [bytes.toString('base64'), bytes.toString('base64url')];
  const same = digits.replaceAll('+', '-').replaceAll('/', '_') === bare;
  return same && (text === digits || text.length === padded.length) ? bytes : null;
}

function decode(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : null;
}

/** Canonical base64 of any number of bytes. */
export const base64 = z.base64().refine(text => decodeBase64(text) !== null, 'canonical base64');

/** Canonical base64 of exactly that many bytes. */
export function base64Of(bytes: number): z.ZodString {
  return z
    .string()
    .length(Math.ceil(bytes / 3) * 4, { error: `${bytes} bytes in base64`, abort: true })
    .refine(text => decodeBase64(text)?.length === bytes, `canonical base64 of ${bytes} bytes`);
}

/** Canonical base64url of exactly that many bytes. */
export function base64urlOf(bytes: number): z.ZodString {
  return z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`))
    .refine(text => decodeBase64url(text)?.length === bytes, 'canonical base64url');
}
