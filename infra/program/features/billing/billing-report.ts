import { DESCRIBED } from '../../../../contracts/problem/describe-issue';
import type { Config } from '../../../config/settings';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { isBillingPeriod, isDay } from '../../../../contracts/time/billing-period';
import type { ReportAction } from '../../../../contracts/http/billing/access';
import { adminRequest, type ReportRequest } from '../../../../contracts/http/billing/actions';
import { counted } from '../../../../contracts/text/counted';
import { BILLING_PROJECTIONS } from '../../../../projections/billing/billing-projections';
import type { Views } from '../../../../projections/views';
import { answerReport, createReports } from '../../../../services/billing/report/reports';
import { openPersonalTexts } from '../../personal-texts';
import { assertNamesInvoice, givenInvoiceId } from './given-invoice';
import { givenMerchantId, givenMerchantSlug } from './given-merchant';
import { withReads } from '../../commands/reading';
import { UsageError } from '../../commands/usage-error';

/** How long a report waits for a running program to fold what is recorded. */
const PROJECTION_WAIT_MS = 10_000;

type Reports = ReturnType<typeof createReports>;

/** What the fields of a request are called on the command line. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  dateFrom: '--from',
  dateTo: '--to',
  billingPeriod: '--period',
  merchantSlug: '--merchant',
  merchantId: '--merchant',
  feeType: '--type',
  pageSize: '--limit',
  settlementId: 'id',
};

const FIELD_NAMES = new RegExp(`\\b(${Object.keys(INPUT_NAMES).join('|')})\\b`, 'g');
const inputName = (field: string): string => INPUT_NAMES[field] ?? `--${field}`;

/** What a command was given: fields of the request, a merchant by its id or slug, and an invoice by its id or number. */
type Given = Readonly<Record<string, unknown>> & {
  readonly merchant?: string | undefined;
  readonly invoice?: string | undefined;
};

/**
 * The report that the API gives for the same request, of everything recorded by now.
 * @throws UsageError; an error that says what to do when a running program has not folded it
 */
export async function billingReport<Action extends ReportAction>(
  config: Config,
  action: Action,
  { merchant, invoice, ...given }: Given,
): Promise<Awaited<ReturnType<Reports[Action]>>> {
  // Refused before anything is opened.
  if (invoice === undefined) parse({ action, ...given });
  else assertNamesInvoice(invoice);
  const answer = await withReads(config, BILLING_PROJECTIONS, async ({ engines, engine: { views } }) => {
    const reports = createReports({
      store: engines.store,
      views,
      texts: await openPersonalTexts(config, engines),
      waitMs: PROJECTION_WAIT_MS,
    });
    const request = {
      ...given,
      ...(merchant !== undefined && (await filterOf(views, action, merchant))),
      ...(invoice !== undefined && {
        invoiceId: await givenInvoiceId(engines.store, config.INSTANCE_ID, invoice),
      }),
    };
    return answerReport(reports, parse({ action, ...request }), await engines.store.head());
  });
  // The answer is that of the action, which TypeScript cannot infer.
  return answer as Awaited<ReturnType<Reports[Action]>>;
}

/** @throws UsageError */
function parse(request: object): ReportRequest {
  const parsed = adminRequest.safeParse(request, DESCRIBED);
  if (parsed.success) return parsed.data as ReportRequest;
  throw new UsageError(
    parsed.error.issues
      .map(({ path, message }) => `${inputName(String(path[0]))}: ${message.replace(FIELD_NAMES, inputName)}`)
      .join('\n'),
  );
}

/** Fees are found by the slug that they were recorded with, all else by the id of the merchant. */
async function filterOf(views: Views, action: ReportAction, merchant: string) {
  if (action !== 'list_fee_ledger') return { merchantId: await givenMerchantId(views, merchant) };
  const { slug, others } = await givenMerchantSlug(views, merchant);
  if (others.length > 0)
    process.stderr.write(`fees of ${merchant} with another slug are listed by it: ${others.join(', ')}\n`);
  return { merchantSlug: slug };
}

export function dayOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(text => {
    if (isDay(text)) return text;
    throw new InvalidArgumentError('A day, YYYY-MM-DD.');
  });
}

export function periodOption(description: string): Option {
  return new Option('--period <month>', description).argParser(text => {
    if (isBillingPeriod(text)) return text;
    throw new InvalidArgumentError('A month, YYYY-MM.');
  });
}

const MAX_PAGE = 200;

const number = (max: number) => (text: string) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new InvalidArgumentError(`A number from 1 to ${max}.`);
};

/** Adds the options of a list in pages. */
export function paged(command: Command): Command {
  return command
    .option('--limit <count>', `rows of a page, at most ${MAX_PAGE}`, number(MAX_PAGE), 50)
    .option('--page <number>', 'which page, from 1', number(1_000_000_000), 1);
}

export interface PageFlags {
  readonly limit: number;
  readonly page: number;
}

/** The fields of a request of the API. */
export function pageOf({ limit, page }: PageFlags) {
  return { pageSize: limit, page };
}

/** The rows of a page and its place among all rows, such as `1 to 50 of 1234 fees`. */
export function pageLines(
  { rows, total, page, pageSize }: Paged,
  lines: readonly string[],
  noun: string,
): string[] {
  const all = counted(total, noun);
  if (total === 0) return [`no ${noun}s`];
  if (rows.length === 0) return [`page ${page} is past the last of ${all}`];
  if (rows.length === total) return [...lines, all];
  const first = (page - 1) * pageSize + 1;
  return [...lines, `${first} to ${first + rows.length - 1} of ${all}`];
}

interface Paged {
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}
