import type { z } from 'zod';
import type { appMetadata } from '../../../contracts/http/catalog/apps';
import { appImage } from '../../../contracts/http/catalog/apps';
import type { KnownApp } from './reader';
import { parseUrl } from '../../../contracts/url/parse-url';

type Answer = NonNullable<z.input<NonNullable<typeof appMetadata.response>>>;

/** @param known null while the application has said nothing @param api where previews are read; null: nowhere */
export function metadataAnswer(url: string, known: KnownApp | null, api: string | null): Answer {
  const { hostname: domain } = parseUrl(url)!;
  const { title = null, description = null, color = null } = known?.metadata ?? {};
  const { originalImage = null, preview = null } = known?.metadata ?? {};
  const preview256 = preview && api && previewUrl(api, url, preview.digest);
  return {
    url,
    domain,
    title: title ?? domain,
    name: title ?? domain,
    description,
    color,
    originalImage,
    image: preview256 ? { blurhash: preview!.blurhash, preview256 } : null,
    icon: preview256,
    extension: null,
    at: known?.at ?? null,
  };
}

/** The digest is in it, so that it can be cached for good. */
const previewUrl = (api: string, url: string, digest: string): string =>
  `${api}${appImage.path}?${new URLSearchParams({ url, digest }).toString()}`;
