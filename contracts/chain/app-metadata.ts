import { z } from 'zod';
import type { SubjectFormat } from '../observation/observation';
import { registrableDomain } from '../url/web-domain';
import { parseUrl } from '../url/parse-url';

/** Pixels of each side of the preview of an image, at most. */
export const PREVIEW_PIXELS = 256;

const appPreview = z.object({
  /** https://blurha.sh */
  blurhash: z.string(),
  /** Of the preview: the first 16 bytes of its SHA-256, hex. */
  digest: z.string(),
  /** The preview: WebP in base64. */
  webp: z.string(),
});
export type AppPreview = z.infer<typeof appPreview>;

/** What an application says of itself; null where it says nothing. */
const appMetadata = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** `#rrggbb` */
  color: z.string().nullable(),
  /** HTTPS URL of the image, as the application has it. */
  originalImage: z.string().nullable(),
  /** Null also for an image that is not decoded. */
  preview: appPreview.nullable(),
});
export type AppMetadata = z.infer<typeof appMetadata>;

/** Data of `app.metadata`; null when none of the reads has succeeded. */
export const appObserved = appMetadata.nullable();
export type AppObserved = z.infer<typeof appObserved>;

/**
 * The registrable domain of an application, so that it can be asked what is known of one, and the address of the application.
 */
export const appSubject: SubjectFormat<string> = {
  format: url => `${appDomain(url)}/${encodeURIComponent(url)}`,
  parse: text => decodeURIComponent(text.slice(text.indexOf('/') + 1)),
};

/** @param url as `appUrl` writes it */
export function appDomain(url: string): string {
  return registrableDomain(parseUrl(url)!.hostname);
}

/** What was read of an application that is not stored, and when (RFC 3339); null data: it could not be read. */
export interface UnreadApp {
  readonly data: AppObserved;
  readonly at: string;
}

/** Reads applications that are not stored. */
export interface UnreadApps {
  /**
   * @param url as `appUrl` writes it @param asked by whom, and whether operators know the application
   * @returns null when nothing is known in time, or the caller has asked for too many
   */
  read(url: string, asked: { readonly caller: string; readonly isKnown: boolean }): Promise<UnreadApp | null>;
}
