import { z } from 'zod';
import { bySize, sizeOf, type Icon } from './page';

/** A document that cannot be read in full is read as far as it can. */
const text = z.string().nullish().catch(null);

/** https://github.com/ton-blockchain/ton-connect/blob/main/requests-responses.md#app-manifest */
const tonConnect = z.object({ url: text, name: z.string(), iconUrl: text });

/** What the manifest of an application for TON Connect says; null when it is none. */
export function readTonConnectManifest(json: unknown) {
  const { data } = tonConnect.safeParse(json);
  return data ? { url: data.url ?? null, name: data.name, icon: data.iconUrl ?? null } : null;
}

const icon = z.object({ src: z.string(), sizes: text, purpose: text });

/** https://www.w3.org/TR/appmanifest/ */
const webApp = z.object({
  name: text,
  short_name: text,
  description: text,
  theme_color: text,
  icons: z.array(z.unknown()).nullish().catch(null),
});

const MAX_ICONS = 20;

/** What a web app manifest says; null when it is none. Icons are relative to it, the best first. */
export function readWebAppManifest(json: unknown) {
  const { data } = webApp.safeParse(json);
  if (!data) return null;
  const icons = (data.icons ?? []).slice(0, MAX_ICONS).flatMap((each): Icon[] => {
    const { data } = icon.safeParse(each);
    // Of one color, to be painted over.
    if (!data || data.purpose === 'monochrome') return [];
    return [{ href: data.src, size: sizeOf(data.sizes ?? undefined) }];
  });
  return {
    name: data.name ?? data.short_name ?? null,
    description: data.description ?? null,
    color: data.theme_color ?? null,
    icons: bySize(icons),
  };
}
