import type { Config } from '../../../config/settings';
import { Command, Option } from 'commander';
import { invoiceStatus } from '../../../../contracts/http/billing/fields';
import { billingReport, paged, pageLines, pageOf, periodOption, type PageFlags } from './billing-report';
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
    const rows = invoices.rows.map(invoice => [
      invoice.invoiceId,
      invoice.billingPeriod,
      invoice.status,
      invoice.number ?? '',
      String(invoice.feeCount),
      `${invoice.totalFee} ${invoice.currency}`,
      invoice.createdAt,
    ]);
    const lines = table([['INVOICE', 'PERIOD', 'STATUS', 'NUMBER', 'FEES', 'TOTAL', 'CREATED'], ...rows]);
    print(invoices, pageLines(invoices, lines, ['invoice', 'invoices']), command);
  });
  return new Command('invoices').description('the invoices of the instance').addCommand(list);
}
