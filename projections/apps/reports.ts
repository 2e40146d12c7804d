import {
  APP_REPORT_CATEGORY,
  APP_REPORT_TYPES,
  appReportEvents,
  type AppReportType,
} from '../../contracts/events/app-report';
import { appId } from '../../contracts/events/app-review';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** Complaints of an application that no operator has dismissed, by type. The id is that of the application. */
export type AppReportsDocument = Document & {
  readonly url: string;
  readonly counts: Readonly<Record<AppReportType, number>>;
};

const REPORTS: CollectionSpec = { name: 'app_report_counts', indexes: [] };

export const APP_REPORTS_SOURCE: Source = { collection: REPORTS.name };

export const NO_REPORTS = Object.fromEntries(APP_REPORT_TYPES.map(type => [type, 0])) as Record<
  AppReportType,
  number
>;

export const appReportsProjection: EventProjection = {
  name: 'app-reports',
  version: 2,
  categories: [APP_REPORT_CATEGORY],
  collections: [REPORTS],
  touches: recorded => [{ collection: REPORTS.name, id: appId(appReportEvents.read(recorded).data.url) }],
  fold(document, recorded, { id }): AppReportsDocument {
    const { type, data } = appReportEvents.read(recorded);
    const { counts = NO_REPORTS } = (document as AppReportsDocument | null) ?? {};
    const change = type === 'AppReportDismissed' ? -1 : data.isCounted ? 1 : 0;
    return { _id: id, url: data.url, counts: { ...counts, [data.type]: counts[data.type] + change } };
  },
};

/** The complaints of an application by type; null before the first one. */
export function findAppReports(views: Pick<Views, 'get'>, url: string): Promise<AppReportsDocument | null> {
  return views.get<AppReportsDocument>(REPORTS.name, appId(url));
}
