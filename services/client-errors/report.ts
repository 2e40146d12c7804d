import type { ClientErrorReport } from '../../contracts/http/client-errors';
import { sha256 } from '../../contracts/encoding/sha256';
import { scrub } from './scrub/scrub';

const MAX_MESSAGE = 1_000;
const MAX_STACK = 3_000;
const MAX_URL = 200;
const MAX_DATA = 2_000;
const MAX_LABEL = 32;

/** Frames at the top of a stack that distinguish one error from another. */
const FRAMES = 5;
const FRAME = /^\s*at\s|@/;

/** A report without secrets and personal data. What was left out is null. */
export interface ScrubbedReport {
  /** The same for reports of one error: 24 letters, digits, `-` and `_`. */
  readonly fingerprint: string;
  readonly message: string;
  readonly stack: string | null;
  readonly url: string | null;
  /** JSON, unless it was cut. */
  readonly data: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
}

/** What is cut is scrubbed before: a part of a secret would not be recognized. */
function scrubbed(text: string | null | undefined, maxLength: number): string | null {
  if (!text) return null;
  const clean = scrub(text).trim();
  // Without half of a pair of surrogates.
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '')}…` : clean;
}

/** One word, as `ios`: some words of a phrase are too few to be recognized. */
const PLATFORM = /^[a-z]+$/i;
const VERSION = /^v?\d[\w.+-]*$/;

/** What names a platform or version; null for anything else. */
const labelOf = (text: string | null | undefined, pattern: RegExp): string | null =>
  text && pattern.test(text) ? scrubbed(text, MAX_LABEL) : null;

/** A text without its numbers: `timeout after 1203 ms` is one error with any number. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0');

/** A frame without the folders of its file, which differ between devices. */
const withoutFolders = (frame: string): string => frame.trim().replace(/(?<!\S)\S*\//g, '');

function fingerprintOf(message: string, stack: string | null): string {
  const frames = (stack ?? '').split('\n').filter(line => FRAME.test(line));
  const error = [message, ...frames.slice(0, FRAMES).map(withoutFolders)].map(withoutNumbers);
  return sha256(JSON.stringify(error)).toString('base64url').slice(0, 24);
}

/** Removes what must not be stored, and identifies the error. The body is not needed afterwards. */
export function scrubReport(report: ClientErrorReport): ScrubbedReport {
  const { errorType, logs, context, additionalData } = report;
  const data = { ...additionalData, ...(context && { context }), ...(logs && { logs }) };
  const message = scrubbed([errorType, report.message].filter(Boolean).join(': '), MAX_MESSAGE) ?? '';
  const stack = scrubbed(report.stack, MAX_STACK);
  return {
    fingerprint: fingerprintOf(message, stack),
    message,
    stack,
    url: scrubbed(report.url, MAX_URL),
    data: Object.keys(data).length > 0 ? scrubbed(JSON.stringify(data), MAX_DATA) : null,
    platform: labelOf(report.platform, PLATFORM),
    appVersion: labelOf(report.appVersion, VERSION),
  };
}
