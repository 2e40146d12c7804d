import { APP_REPORT_CATEGORY } from '../../contracts/events/app-report';
import { APP_REVIEW_CATEGORY } from '../../contracts/events/app-review';
import { removeByDecider, type Retention } from '../retention/retention';
import { appReportKind } from './report/decider';
import { appReviewKind } from './review/decider';

export const APP_REVIEW_RETENTION: Retention = {
  name: 'app_review',
  of: 'reviews of applications, but those that an operator has hidden',
  category: APP_REVIEW_CATEGORY,
  textsOf: 'ton:',
  days: 730,
  hasNoDocument: ({ type }) => type === 'AppReviewRemoved',
  remove: removeByDecider(appReviewKind),
};

export const APP_REPORT_RETENTION: Retention = {
  name: 'app_report',
  of: 'complaints about applications, but those that an operator has dismissed',
  category: APP_REPORT_CATEGORY,
  textsOf: 'ton:',
  days: 365,
  hasNoDocument: ({ type }) => type === 'AppReportRemoved',
  remove: removeByDecider(appReportKind),
};
