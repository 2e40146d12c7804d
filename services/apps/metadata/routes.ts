import { appImage, appMetadata } from '../../../contracts/http/catalog/apps';
import { immutable } from '../../../contracts/http/immutable-response';
import { Problem } from '../../../contracts/problem/problem';
import { bind, type Binding } from '../../http/binding';
import { imageReply } from '../../http/image-reply';
import type { AppDeps } from '../deps';
import { metadataAnswer } from './answer';

/** What applications say of themselves. */
export function appMetadataRoutes({ views, apps, publicUrl }: AppDeps): Binding[] {
  return [
    bind(appMetadata, async call => {
      const url = call.query.url.app;
      if (url === null) return null;
      const api = publicUrl ?? call.origin;
      const query = { key: ['app metadata', url, api], sources: [apps.source(url)] };
      const stored = await views.cached(query, async () => {
        const known = await apps.find(url);
        return known && { at: known.at, answer: immutable(metadataAnswer(url, known, api)) };
      });
      if (!stored) return metadataAnswer(url, await apps.readUnread(url, call), api);
      apps.refresh(url, stored.at);
      return stored.answer;
    }),
    bind(appImage, async call => {
      const { url, digest } = call.query;
      const query = { key: ['app image', url], sources: [apps.source(url)] };
      const stored = await views.cached(query, () => apps.find(url));
      const preview = (stored ?? (await apps.readUnread(url, call)))?.metadata.preview;
      if (!preview)
        throw new Problem('app_image_not_found', 'The application has no image that can be displayed.');
      return imageReply(preview.webp, preview.digest === digest);
    }),
  ];
}
