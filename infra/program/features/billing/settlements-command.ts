import type { Config } from '../../../config/settings';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { SETTLEMENT_REQUESTS, type Settlement } from '../../../../contracts/http/billing/settlements';
import { visibleLine } from '../../../../contracts/text/visible-text';
import { voidSettlement } from '../../../../services/billing/settlement/void';
import { BILLING_PROJECTIONS } from '../../../../projections/billing/billing-projections';
import { createHandle } from '../../../../services/commands/handle';
import { openPersonalTexts } from '../../personal-texts';
import { billingReport, paged, pageLines, pageOf, periodOption, type PageFlags } from './billing-report';
import { merchantOption } from './given-merchant';
import { pointToMakers } from './made-by';
import { asOperator } from '../../commands/operator';
import { print, table } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { reading } from '../../commands/reading';
import { projectionEngine } from '../../commands/with-engines';

/** How long to wait until the projection has the settlement. */
const PROJECTION_WAIT_MS = 10_000;

const input = z.object({ id: z.uuid().toLowerCase(), reason: visibleLine(500) });

export function settlementsCommand(config: () => Config): Command {
  const command = new Command('settlements')
    .description('settlements with merchants: what each is owed for a billing period')
    .addCommand(listCommand(config))
    .addCommand(showCommand(config))
    .addCommand(voidCommand(config));
  return pointToMakers(command, 'generate_settlement or mark_settlement_paid');
}

interface ListFlags extends PageFlags {
  readonly status?: string;
  readonly period?: string;
  readonly merchant?: string;
}

const listCommand = (config: () => Config): Command =>
  paged(
    new Command('list')
      .description('list settlements, newest period first')
      .addOption(
        new Option('--status <status>', 'only of one status').choices(
          SETTLEMENT_REQUESTS.list_settlements.status.unwrap().options,
        ),
      )
      .addOption(periodOption('only of this billing period'))
      .addOption(merchantOption()),
  ).action(async ({ status, period, merchant, ...page }: ListFlags, command: Command) => {
    const given = { status, billingPeriod: period, merchant, ...pageOf(page) };
    const settlements = await billingReport(config(), 'list_settlements', given);
    print(settlements, pageLines(settlements, rows(settlements.rows), 'settlement'), command);
  });

const showCommand = (config: () => Config): Command =>
  new Command('show')
    .description('show a settlement, what its net amount is computed from, and its history')
    .argument('<id>')
    .action(async (settlementId: string, _flags: object, command: Command) => {
      const answer = await billingReport(config(), 'get_settlement', { settlementId });
      const { settlement } = answer;
      const perMonth = settlement.lines.map(line => [
        line.billingPeriod,
        String(line.feeCount),
        line.grossCollected,
        line.feesCollected,
      ]);
      print(
        answer,
        [
          ...rows([settlement]),
          '',
          ...table([
            ['GROSS', 'FEE', 'REBATE', 'CARRIED IN', 'NET'],
            [
              settlement.grossCollected,
              settlement.feesCollected,
              settlement.rebateApplied,
              settlement.carriedIn,
              settlement.netAmount,
            ],
          ]),
          '',
          ...table([['FEES OF', 'FEES', 'GROSS', 'FEE'], ...perMonth]),
          '',
          ...table([['AT', 'EVENT', 'BY', 'NOTE'], ...historyOf(settlement)]),
        ],
        command,
      );
    });

/** What has happened to it, oldest first. */
const historyOf = (settlement: Settlement): string[][] =>
  (
    [
      [settlement.createdAt, 'generated', settlement.createdBy, null],
      [settlement.paidAt, 'paid', settlement.paidBy, settlement.reference],
      [settlement.voidedAt, 'voided', settlement.voidedBy, settlement.voidReason],
    ] as const
  ).flatMap(([at, event, by, note]) => (at === null ? [] : [[at, event, by ?? '', note ?? '']]));

const rows = (settlements: readonly Settlement[]): string[] =>
  table([
    ['SETTLEMENT', 'PERIOD', 'MERCHANT', 'STATUS', 'NET', 'PAID'],
    ...settlements.map(each => [
      each.settlementId,
      each.billingPeriod,
      each.merchantId,
      each.status,
      `${each.netAmount} ${each.currency}`,
      each.paidAt ?? '',
    ]),
  ]);

const voidCommand = (config: () => Config): Command =>
  new Command('void')
    .description(
      'void an unpaid settlement, so that its month can be settled again; refused while a later settlement depends on it',
    )
    .argument('<id>')
    .requiredOption('--reason <text>', 'required: the reason; stored encrypted, like all personal text')
    .action(async (id: string, flags: { readonly reason: string }, command: Command) => {
      const { id: settlementId, reason } = parseInput(input, { ...flags, id });
      const settings = config();
      const { settlements } = await asOperator(
        settings,
        command,
        { settlementId },
        async (tools, operator) => {
          const { engines, signal } = tools;
          const engine = projectionEngine(BILLING_PROJECTIONS, tools);
          const deps = {
            store: engines.store,
            handle: createHandle(engines),
            views: engine.views,
            texts: await openPersonalTexts(settings, engines),
            instanceId: settings.INSTANCE_ID,
            waitMs: PROJECTION_WAIT_MS,
          };
          return reading(settings, { engine, signal }, () =>
            voidSettlement(deps, settlementId, reason, operator.metadata()),
          );
        },
      );
      const { billingPeriod, merchantId, status, netAmount, currency } = settlements[0]!;
      print(
        { settlementId, billingPeriod, merchantId, status },
        [`${settlementId}: ${merchantId}, ${billingPeriod}, ${netAmount} ${currency} is void`],
        command,
      );
    });
