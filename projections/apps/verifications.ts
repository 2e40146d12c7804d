import { APP_VERIFICATION_CATEGORY, appVerificationEvents } from '../../contracts/events/app-verification';
import { appId } from '../../contracts/events/app-review';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** What operators have decided about an application last. The id is that of the application. */
export type AppVerificationDocument = Document & {
  readonly url: string;
  readonly isVerified: boolean;
};

const VERIFICATIONS: CollectionSpec = { name: 'app_verifications', indexes: [] };

export const APP_VERIFICATIONS_SOURCE: Source = { collection: VERIFICATIONS.name };

export const appVerificationsProjection: EventProjection = {
  name: 'app-verifications',
  version: 1,
  categories: [APP_VERIFICATION_CATEGORY],
  collections: [VERIFICATIONS],
  touches: recorded => [
    { collection: VERIFICATIONS.name, id: appId(appVerificationEvents.read(recorded).data.url) },
  ],
  fold(_, recorded, { id }): AppVerificationDocument {
    const { type, data } = appVerificationEvents.read(recorded);
    return { _id: id, url: data.url, isVerified: type === 'AppVerified' };
  },
};

/** Whether operators have verified an application. */
export async function isVerifiedApp(views: Pick<Views, 'get'>, url: string): Promise<boolean> {
  const found = await views.get<AppVerificationDocument>(VERIFICATIONS.name, appId(url));
  return found?.isVerified ?? false;
}
