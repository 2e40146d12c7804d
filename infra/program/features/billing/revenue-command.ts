import type { Config } from '../../../config/settings';
import { Command } from 'commander';
import { billingReport, dayOption, periodOption } from './billing-report';
import { print, table } from '../../commands/output';

interface Flags {
  readonly from?: string;
  readonly to?: string;
  readonly period?: string;
}

export function revenueCommand(config: () => Config): Command {
  return new Command('revenue')
    .description('show the fees of a period by type and by merchant, as get_revenue of the API does')
    .addOption(dayOption('--from <day>', 'first day, in the time zone of the instance'))
    .addOption(dayOption('--to <day>', 'last day'))
    .addOption(periodOption('only fees of this billing period'))
    .action(async ({ from, to, period }: Flags, command: Command) => {
      const settings = config();
      const given = { dateFrom: from, dateTo: to, billingPeriod: period };
      const revenue = await billingReport(settings, 'get_revenue', given);
      const byType = revenue.summary.map(row => [
        row.fee_type,
        row.collection_status,
        String(row.count),
        row.total_fee,
        row.total_gross,
      ]);
      const byMerchant = revenue.byMerchant.map(row => [
        row.merchant_id,
        row.merchant_name,
        String(row.fee_count),
        row.collected,
        row.pending,
      ]);
      print(
        revenue,
        byType.length === 0
          ? ['no fees']
          : [
              `amounts in ${settings.INSTANCE_CURRENCY}`,
              '',
              ...table([['TYPE', 'STATUS', 'FEES', 'FEE', 'GROSS'], ...byType]),
              '',
              ...table([['MERCHANT', 'NAME', 'FEES', 'COLLECTED', 'PENDING'], ...byMerchant]),
            ],
        command,
      );
    });
}
