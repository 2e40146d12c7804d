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

/** A complaint, which counts unless an operator has dismissed it. The id is its own. */
type AppReportDocument = Document & {
  readonly app: string;
  readonly type: AppReportType;
  readonly isDismissed: boolean;
};

const REPORTS: CollectionSpec = {
  name: 'app_reports',
  indexes: [],
  counts: [['app', 'type', 'isDismissed']],
};

export const APP_REPORTS_SOURCE: Source = { collection: REPORTS.name };

/** Complaints by type. */
export type AppReports = Readonly<Record<AppReportType, number>>;

export const NO_REPORTS = Object.fromEntries(APP_REPORT_TYPES.map(type => [type, 0])) as AppReports;

export const appReportsProjection: EventProjection = {
  name: 'app-reports',
  version: 3,
  categories: [APP_REPORT_CATEGORY],
  collections: [REPORTS],
  touches: recorded => [{ collection: REPORTS.name, id: appReportEvents.read(recorded).data.reportId }],
  fold(document, recorded, { id }): AppReportDocument | null {
    const { type, data } = appReportEvents.read(recorded);
    if (type === 'AppReportRemoved') return null;
    const { isDismissed = false } = (document as AppReportDocument | null) ?? {};
    return {
      _id: id,
      app: appId(data.url),
      type: data.type,
      isDismissed: isDismissed || type === 'AppReportDismissed',
    };
  },
};

/** The complaints about an application that no operator has dismissed. */
export async function findAppReports(views: Pick<Views, 'count'>, url: string): Promise<AppReports> {
  const counts = APP_REPORT_TYPES.map(
    async type =>
      [type, await views.count(REPORTS.name, { app: appId(url), type, isDismissed: false })] as const,
  );
  return Object.fromEntries(await Promise.all(counts)) as AppReports;
}
