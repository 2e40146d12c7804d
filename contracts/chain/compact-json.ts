import { Buffer } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** JSON in a third of its bytes, for messages whose JSON is mostly hashes, addresses and BoCs. */
export interface CompactJson {
  encode(json: string): Buffer;
  /** @throws Error when the bytes were not encoded with this dictionary. */
  decode(bytes: Buffer): string;
}

/** Precede a run of bytes and its length (uint16): JSON text has no control characters. */
const HEX = 1;
const BASE64 = 2;
const MAX_RUN = 0xffff;
/** Bytes before a run: its kind and its length. */
const HEADER = 3;

/** Strings of 32 bytes in hex, with the workchain of an address or not, and of 18 bytes and more in base64. */
const RUN = /"(?:-?\d+:)?([0-9a-f]{64})(?=")|"([A-Za-z0-9+/]{24,}={0,2})(?=")/g;

/** Long strings of hex and base64 become bytes: so deflate finds what they repeat. */
function pack(json: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const found of json.matchAll(RUN)) {
    const [text, hex, base64] = found;
    const run = (hex ?? base64)!;
    const encoding = hex === undefined ? 'base64' : 'hex';
    const bytes = Buffer.from(run, encoding);
    if (bytes.length > MAX_RUN || bytes.toString(encoding) !== run) continue;
    const next = found.index + text.length;
    const kind = hex === undefined ? BASE64 : HEX;
    const header = Buffer.from([kind, bytes.length >> 8, bytes.length & 0xff]);
    parts.push(Buffer.from(json.slice(end, next - run.length)), header, bytes);
    end = next;
  }
  return Buffer.concat([...parts, Buffer.from(json.slice(end))]);
}

function unpack(packed: Buffer): string {
  let json = '';
  let end = 0;
  for (let at = 0; at < packed.length; at++) {
    const kind = packed[at]!;
    if (kind !== HEX && kind !== BASE64) continue;
    json += packed.toString('utf8', end, at);
    end = at + HEADER + packed.readUInt16BE(at + 1);
    json += packed.toString(kind === HEX ? 'hex' : 'base64', at + HEADER, end);
    at = end - 1;
  }
  return json + packed.toString('utf8', end);
}

/**
 * Deflate (RFC 1951) with a preset dictionary, after long strings of hex and base64 have become bytes.
 * @param dictionary text like that of the messages, the most frequent at its end. It is part of the format.
 */
export function createCompactJson(dictionary: string): CompactJson {
  const options = { level: 3, dictionary: pack(dictionary) };
  return {
    encode: json => deflateRawSync(pack(json), options),
    decode: bytes => unpack(inflateRawSync(bytes, options)),
  };
}
