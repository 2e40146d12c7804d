import { refuse, type CommandMetadata } from '../../../contracts/decider';
import { appReportEvents, type AppReportEvent } from '../../../contracts/events/app-report';
import type { StreamKind } from '../../handle';

type Reported = Extract<AppReportEvent, { type: 'AppReported' }>['data'];

export type AppReportCommand = { readonly metadata: CommandMetadata } & (
  { readonly type: 'report'; readonly report: Omit<Reported, 'at'> } | { readonly type: 'dismiss' }
);

type Report = Reported & { readonly isDismissed: boolean };

/** A wallet complains once of an application for each type; what an operator has dismissed stays so. */
export const appReportKind: StreamKind<Report | null, AppReportCommand, AppReportEvent> = {
  events: appReportEvents,
  decider: {
    initial: () => null,
    evolve: (state, { type, data }) =>
      type === 'AppReported' ? { ...data, isDismissed: false } : state && { ...state, isDismissed: true },
    decide(state, command) {
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'report') {
        if (state) return [];
        return [{ type: 'AppReported', data: { ...command.report, at } }];
      }
      if (!state) return refuse('app_report_not_found', 'There is no such report.');
      if (state.isDismissed) return [];
      const { reportId, url, type, network, address } = state;
      return [{ type: 'AppReportDismissed', data: { reportId, url, type, network, address, at, by } }];
    },
  },
};
