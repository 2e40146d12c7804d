import { replaceSpans, type Span } from './spans';

/** Names of what is secret however it looks, as a PIN or a password. */
const SECRET_NAME =
  /mnemonic|seed|phrase|secret|priv|passw|passcode|pwd|token|jwt|auth|cookie|credential|session|(?:api|access|sign|signing|encryption|decryption|app|master)_?key|(?:pin|otp|cvv)(?:_?code)?$|^sk$/i;

const NAME = /(?<!\w)\w+(?=["'\\]*\s*[:=])/g;
const SEPARATOR = /["'\\]*\s*[:=]>?\s*(?:(?:bearer|basic|digest)\s+)?/iy;
/** A quoted text, a list, an object, or what comes before the next space, with further cookies. */
const VALUE =
  /\\*"(?:[^"\\\n]|\\.)*|\\*'[^'\n]*|\[[^\]]*|\{[^}]*|[^\s"',;&})\]]+(?:; ?[\w.-]+=[^\s"',;&})\]]*)*/y;
const PEM = /-----BEGIN[^-]*-----[^-]*(?:-----END[^-]*-----)?/g;
const BEARER = /(?<!\w)bearer\s+[^\s"',;]+/gi;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** No word of a phrase, as `secret` and `token` are: a phrase around it is found. */
const PLACEHOLDER = '[credential]';

/** Removes what has a name that says it is secret: `password: x`, `"pin":1234`, bearer tokens and PEM blocks. */
export function removeNamedSecrets(text: string): string {
  const withoutBlocks = text.replace(PEM, PLACEHOLDER).replace(BEARER, PLACEHOLDER);
  const spans: Span[] = [];
  let last = 0;
  for (const { 0: name, index } of withoutBlocks.matchAll(NAME)) {
    if (index < last || !SECRET_NAME.test(name)) continue;
    const start = endOf(SEPARATOR, withoutBlocks, index + name.length);
    last = endOf(VALUE, withoutBlocks, start);
    if (last > start) spans.push({ start, end: last });
  }
  return replaceSpans(withoutBlocks, spans, PLACEHOLDER);
}
