import type { Config } from '../../../config/settings';
import { Command, Option } from 'commander';
import { invoiceStatus } from '../../../../contracts/http/billing/fields';
import { billingReport, paged, pageLines, pageOf, periodOption, type PageFlags } from './billing-report';
import type { Invoice, InvoiceHead } from '../../../../contracts/http/billing/responses';
import { counted } from '../../../../contracts/text/counted';
import { pointToMakers } from './made-by';
import { print, table } from '../../commands/output';

interface Flags extends PageFlags {
  readonly status?: string;
  readonly period?: string;
}

export function invoicesCommand(config: () => Config): Command {
  const list = paged(
    new Command('list')
      .description('list invoices, newest period first')
      .addOption(new Option('--status <status>', 'only of one status').choices(invoiceStatus.options))
      .addOption(periodOption('only of this billing period')),
  ).action(async ({ status, period, ...page }: Flags, command: Command) => {
    const given = { status, billingPeriod: period, ...pageOf(page) };
    const invoices = await billingReport(config(), 'list_invoices', given);
    print(invoices, pageLines(invoices, rows(invoices.rows), 'invoice'), command);
  });
  const command = new Command('invoices')
    .description('the invoices of the instance, which people generate, finalize and void')
    .addCommand(list)
    .addCommand(showCommand(config));
  return pointToMakers(command, 'generate_invoice, finalize_invoice or void_invoice');
}

const showCommand = (config: () => Config): Command =>
  new Command('show')
    .description('show an invoice, its lines and its history')
    .argument('<invoice>', 'its id or its number')
    .action(async (text: string, _flags: object, command: Command) => {
      const answer = await billingReport(config(), 'get_invoice', { invoice: text });
      const { invoice } = answer;
      const perMerchant = invoice.lines.map(line => [
        line.merchantId,
        line.merchantSlug,
        line.feeType,
        String(line.feeCount),
        line.totalFee,
        line.totalGross,
      ]);
      const history = invoice.history.map(({ at, event, by, reason }) => [at, event, by, reason ?? '']);
      print(
        answer,
        [
          ...rows([invoice]),
          ...differences(invoice),
          '',
          ...table([['MERCHANT', 'SLUG', 'TYPE', 'FEES', 'FEE', 'GROSS'], ...perMerchant]),
          '',
          ...table([['AT', 'EVENT', 'BY', 'REASON'], ...history]),
        ],
        command,
      );
    });

/** What an invoice of the month would have now. */
function differences({ currency, ...of }: Invoice): string[] {
  const line = (count: number | null, fee: string | null, what: string): string[] =>
    count ? [`${what}: ${counted(count, 'fee')}, ${fee} ${currency}`] : [];
  return [
    ...line(of.uninvoicedFeeCount, of.uninvoicedFee, 'collected since, and on no invoice'),
    ...line(of.reversedFeeCount, of.reversedFee, 'reversed since'),
  ];
}

const rows = (invoices: readonly InvoiceHead[]): string[] =>
  table([
    ['INVOICE', 'PERIOD', 'STATUS', 'NUMBER', 'FEES', 'TOTAL', 'CREATED'],
    ...invoices.map(invoice => [
      invoice.invoiceId,
      invoice.billingPeriod,
      invoice.status,
      invoice.number ?? '',
      String(invoice.feeCount),
      `${invoice.totalFee} ${invoice.currency}`,
      invoice.createdAt,
    ]),
  ]);
