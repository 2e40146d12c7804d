import { appReportsProjection } from '../../projections/apps/reports';
import { appReviewsProjection } from '../../projections/apps/reviews';
import { describeRetention } from '../../test/contracts/retention';
import { APP_REPORT_SAMPLES, APP_REVIEW_SAMPLES } from '../../test/events/samples/apps';
import { APP_REPORT_RETENTION, APP_REVIEW_RETENTION } from './retention';

const { AppReviewSubmitted, AppReviewHidden, AppReviewShown } = APP_REVIEW_SAMPLES;
const submitted = ['AppReviewSubmitted', AppReviewSubmitted![0]!.data] as const;
const hidden = ['AppReviewHidden', AppReviewHidden![0]!.data] as const;

describe('reviews', () =>
  describeRetention(APP_REVIEW_RETENTION, [appReviewsProjection], {
    goes: {
      'a review': [submitted],
      'one that was written again': [submitted, submitted],
      'one that several have sent': [submitted, ['AppReviewSubmitted', AppReviewSubmitted![2]!.data, 2]],
      'one that was hidden, and is shown again': [
        submitted,
        hidden,
        ['AppReviewShown', AppReviewShown![0]!.data],
      ],
    },
    stays: { 'one that is hidden': [submitted, hidden] },
  }));

const { AppReported, AppReportDismissed } = APP_REPORT_SAMPLES;
const reported = ['AppReported', AppReported![0]!.data] as const;

describe('complaints', () =>
  describeRetention(APP_REPORT_RETENTION, [appReportsProjection], {
    goes: {
      'a complaint': [reported],
      'one that several have sent': [reported, ['AppReported', AppReported![2]!.data, 2]],
    },
    stays: { 'one that is dismissed': [reported, ['AppReportDismissed', AppReportDismissed![0]!.data]] },
  }));
