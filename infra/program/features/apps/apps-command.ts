import type { Config } from '../../../config/settings';
import { Command } from 'commander';
import { z } from 'zod';
import { formatTonAddress } from '../../../../contracts/account/address';
import {
  APP_REPORT_CATEGORY,
  appReportEvents,
  appReportStream,
  type AppReportEvent,
} from '../../../../contracts/events/app-report';
import {
  APP_REVIEW_CATEGORY,
  appReviewEvents,
  appReviewStream,
  type AppReviewEvent,
} from '../../../../contracts/events/app-review';
import { applicationUrl as url } from '../../../../contracts/http/catalog/apps';
import { tonAddress, tonNetwork } from '../../../../contracts/http/ton/fields';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { appReportKind } from '../../../../services/apps/report/decider';
import { appReviewKind } from '../../../../services/apps/review/decider';
import { decryptComments } from '../../../../services/apps/comment';
import type { PersonalTexts } from '../../../../services/personal-texts/personal-text';
import { tonAccount } from '../../../../contracts/account/ton-account';
import { openPersonalTexts } from '../../personal-texts';
import { verifiedAppsCommand, verifyingAppCommand } from './app-verifications';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

/** Moderation of what users say of applications, and which applications operators have verified. */
export function appsCommand(config: () => Config): Command {
  return new Command('apps')
    .description('applications: verification, reviews and complaints')
    .addCommand(verifyingAppCommand(config, 'verify'))
    .addCommand(verifyingAppCommand(config, 'unverify'))
    .addCommand(verifiedAppsCommand(config))
    .addCommand(reviewsCommand(config))
    .addCommand(reportsCommand(config))
    .addCommand(moderateCommand(config));
}

const moderateCommand = (config: () => Config): Command =>
  new Command('moderate')
    .description('moderate what wallets have written')
    .addCommand(reviewCommand(config, 'hide', 'no longer show a review, and do not count it'))
    .addCommand(reviewCommand(config, 'show', 'show a hidden review again'))
    .addCommand(dismissCommand(config));

const reviewsCommand = (config: () => Config): Command =>
  new Command('reviews')
    .description('list the reviews of an application, including hidden ones')
    .argument('<url>', 'of the application')
    .action(async (text: string, _flags: object, command: Command) => {
      const input = parseInput(z.object({ url }), { url: text });
      const reviews = await withEngines(config(), async ({ engines }) =>
        readReviews(engines.store, await openPersonalTexts(config(), engines), input.url),
      );
      const rows = reviews.map(({ address, rating, verified, hidden, updatedAt, text }) => [
        address,
        String(rating),
        verified ? 'signed' : '',
        hidden ? 'hidden' : '',
        updatedAt,
        text ?? '',
      ]);
      print(
        { url: input.url, reviews },
        list('reviews', [['WALLET', 'RATING', '', '', 'WRITTEN', 'TEXT'], ...rows]),
        command,
      );
    });

const reviewInput = z.object({ url, address: tonAddress, network: tonNetwork.optional() });

const reviewCommand = (config: () => Config, type: 'hide' | 'show', description: string): Command =>
  new Command(type)
    .description(description)
    .argument('<url>', 'of the application')
    .argument('<address>', 'of the wallet that wrote it')
    .option('--network <network>', 'default: testnet for a test-only address, otherwise mainnet')
    .action(async (text: string, given: string, flags: { network?: string }, command: Command) => {
      const input = parseInput(reviewInput, { ...flags, url: text, address: given });
      const { network, address } = tonAccount(input.address, input.network, 'network');
      const about = { url: input.url, network, address: formatTonAddress(address, network, false) };
      const { changed } = await decideAsOperator(config(), command, {
        about,
        kind: appReviewKind,
        stream: appReviewStream(input.url, { network, address }),
        given: { type },
      });
      const done = type === 'hide' ? 'hidden' : 'shown';
      print(
        { ...about, changed },
        [`${about.url}: review of ${about.address} ${changed ? done : `was ${done} already`}`],
        command,
      );
    });

const reportsCommand = (config: () => Config): Command =>
  new Command('reports')
    .description('list the open complaints, oldest first')
    .action(async (_flags: object, command: Command) => {
      const reports = await withEngines(config(), async ({ engines }) =>
        readReports(engines.store, await openPersonalTexts(config(), engines)),
      );
      const rows = reports.map(({ reportId, type, url, address, at, text }) => [
        reportId,
        type,
        url,
        address,
        at,
        text ?? '',
      ]);
      print(
        { reports },
        list('complaints', [['REPORT', 'TYPE', 'APPLICATION', 'WALLET', 'AT', 'TEXT'], ...rows]),
        command,
      );
    });

const dismissInput = z.object({ report: z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a report') });

const dismissCommand = (config: () => Config): Command =>
  new Command('dismiss')
    .description('dismiss a complaint, so that it no longer counts')
    .argument('<report>', 'its id, as `tidemark apps reports` lists it')
    .action(async (given: string, _flags: object, command: Command) => {
      const { report } = parseInput(dismissInput, { report: given });
      const { changed } = await decideAsOperator(config(), command, {
        about: { report },
        kind: appReportKind,
        stream: appReportStream(report),
        given: { type: 'dismiss' },
      });
      print({ report, changed }, [`${report}: ${changed ? 'dismissed' : 'was dismissed already'}`], command);
    });

type Submitted = Extract<AppReviewEvent, { type: 'AppReviewSubmitted' }>['data'];

async function readReviews(store: Pick<EventStore, 'readAll'>, texts: PersonalTexts, url: string) {
  const reviews = new Map<string, Submitted>();
  for await (const page of store.readAll({ categories: [APP_REVIEW_CATEGORY] }))
    for (const recorded of page) {
      const { type, data } = appReviewEvents.read(recorded);
      if (data.url !== url) continue;
      if (type === 'AppReviewSubmitted') {
        if (data.isCounted) reviews.set(recorded.stream, data);
      } else if (type === 'AppReviewRemoved') reviews.delete(recorded.stream);
      else
        reviews.set(recorded.stream, {
          ...reviews.get(recorded.stream)!,
          isHidden: type === 'AppReviewHidden',
        });
    }
  const all = [...reviews.values()];
  const comments = await decryptComments(
    texts,
    all.map(({ comment }) => comment),
  );
  return all.map(({ address, network, rating, isVerified, isHidden, at }, i) => ({
    address: formatTonAddress(address, network, false),
    rating,
    verified: isVerified,
    hidden: isHidden,
    updatedAt: at,
    text: comments[i]?.text ?? null,
  }));
}

type Reported = Extract<AppReportEvent, { type: 'AppReported' }>['data'];

/** As each caller has sent them: several may have complained in the name of one wallet. */
async function readReports(store: Pick<EventStore, 'readAll'>, texts: PersonalTexts) {
  const open = new Map<string, Reported[]>();
  for await (const page of store.readAll({ categories: [APP_REPORT_CATEGORY] }))
    for (const recorded of page) {
      const { type, data } = appReportEvents.read(recorded);
      if (type === 'AppReported') open.set(recorded.stream, [...(open.get(recorded.stream) ?? []), data]);
      else open.delete(recorded.stream);
    }
  const all = [...open.values()].flat();
  const comments = await decryptComments(
    texts,
    all.map(({ comment }) => comment),
  );
  return all.map(({ reportId, url, type, network, address, at }, i) => ({
    reportId,
    url,
    type,
    address: formatTonAddress(address, network, false),
    at,
    text: comments[i]?.text ?? null,
  }));
}
