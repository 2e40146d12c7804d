import { refuse, type CommandMetadata } from '../../../contracts/decider';
import { appReportEvents, type AppReportEvent } from '../../../contracts/events/app-report';
import type { StreamKind } from '../../commands/stream-kind';
import { MAX_CALLERS, sentBy } from '../callers';

type Reported = Extract<AppReportEvent, { type: 'AppReported' }>['data'];

export type AppReportCommand = { readonly metadata: CommandMetadata } & (
  | { readonly type: 'report'; readonly report: Omit<Reported, 'at' | 'isCounted'> }
  | { readonly type: 'dismiss' | 'remove' }
);

/** A complaint in the name of a wallet, as each of its callers has sent it, the first one first. */
interface Report {
  readonly sent: readonly Reported[];
  readonly isDismissed: boolean;
}

/**
 * A wallet complains once of an application for each type: the first complaint in its name counts, and what others say in it is
 * recorded beside, since nobody knows which of them the wallet is. What is not recorded is refused. What an operator has dismissed
 * stays so, and is not removed.
 */
export const appReportKind: StreamKind<Report | null, AppReportCommand, AppReportEvent> = {
  events: appReportEvents,
  decider: {
    initial: () => null,
    evolve(state, { type, data }) {
      if (type === 'AppReported')
        return { isDismissed: false, ...state, sent: [...(state?.sent ?? []), data] };
      return type === 'AppReportRemoved' ? null : state && { ...state, isDismissed: true };
    },
    decide(state, command) {
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'report')
        return submit(state, { ...command.report, isCounted: state === null, at });
      const isRemoval = command.type === 'remove';
      if (!state) return isRemoval ? [] : refuse('app_report_not_found', 'There is no such report.');
      if (state.isDismissed) return [];
      const { reportId, url, type, network, address } = state.sent[0]!;
      const data = { reportId, url, type, network, address, at };
      return isRemoval
        ? [{ type: 'AppReportRemoved', data }]
        : [{ type: 'AppReportDismissed', data: { ...data, by } }];
    },
  },
};

function submit(state: Report | null, report: Reported): ReturnType<typeof appReportKind.decider.decide> {
  const { sent = [], isDismissed = false } = state ?? {};
  const own = sentBy(sent, report.source);
  // The texts are equal where they were encrypted once.
  if (own && (!report.comment || report.comment.ciphertext === own.comment?.ciphertext)) return [];
  if (isDismissed)
    return refuse(
      'app_report_dismissed',
      'Operators have dismissed what was reported for this wallet and type.',
    );
  if (own)
    return refuse(
      'app_report_exists',
      'You have reported this before, and with another comment: that stays.',
    );
  if (sent.length >= MAX_CALLERS)
    return refuse(
      'too_many_app_reports',
      `${MAX_CALLERS} callers have reported this for the wallet already.`,
    );
  return [{ type: 'AppReported', data: report }];
}
