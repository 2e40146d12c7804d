import type { Quota } from '../../quota';
import type { Access } from '../endpoint';

/** Of a caller, by the kind of its calls. */
export const READS: Quota = {
  name: 'reads',
  of: 'reads of billing',
  by: 'caller',
  perMinute: 120,
};
export const EXPORTS: Quota = {
  name: 'exports',
  of: 'exports of billing',
  by: 'caller',
  perMinute: 6,
};
export const WRITES: Quota = {
  name: 'writes',
  of: 'changes of billing',
  by: 'caller',
  perMinute: 20,
};
export const FEES: Quota = {
  name: 'fees',
  of: 'calls that record fees',
  by: 'caller',
  perMinute: 600,
};

/** Who may do what in the billing administration. */
const READ = { role: 'finance', rateLimit: READS, minPosition: true } as const satisfies Access;
const EXPORT = { ...READ, rateLimit: EXPORTS } as const satisfies Access;
const WRITE = {
  role: 'admin',
  secureSession: true,
  rateLimit: WRITES,
  idempotency: true,
} as const satisfies Access;

/** Actions that return a report and change nothing. */
export const REPORT_ACCESS = {
  get_revenue: READ,
  list_fee_ledger: READ,
  export_revenue_csv: EXPORT,
  list_invoices: READ,
  get_invoice: READ,
  list_settlements: READ,
  get_settlement: READ,
  list_rebates: READ,
} as const;

/** Actions that show what is not a report of the ledger, and change nothing. */
const QUERY_ACCESS = {
  preview_invoice: READ,
  preview_settlement: READ,
  get_fee_history: READ,
  get_rebate_rule: READ,
  export_invoice: EXPORT,
  export_settlement: EXPORT,
  list_merchants: READ,
  /** It has addresses of callers. */
  list_audit_trail: { role: 'admin', secureSession: true, rateLimit: READS, minPosition: true },
} as const satisfies Record<string, Access>;

export const COMMAND_ACCESS = {
  generate_invoice: WRITE,
  finalize_invoice: WRITE,
  void_invoice: WRITE,
  generate_settlement: WRITE,
  mark_settlement_paid: WRITE,
  void_settlement: WRITE,
  set_rebate_rule: WRITE,
  set_merchant: WRITE,
} as const;

export const ADMIN_ACCESS = { ...REPORT_ACCESS, ...QUERY_ACCESS, ...COMMAND_ACCESS };

export type ReportAction = keyof typeof REPORT_ACCESS;
export type QueryAction = keyof typeof QUERY_ACCESS;
export type CommandAction = keyof typeof COMMAND_ACCESS;
/** Actions whose answer is a file. */
export type FileAction = 'export_invoice' | 'export_settlement';
export type AdminAction = ReportAction | QueryAction | CommandAction;

/** Actions that are audited with any outcome, not only when they are refused. */
export function isAlwaysAudited(action: AdminAction): boolean {
  return (
    Object.hasOwn(COMMAND_ACCESS, action) || action.startsWith('export_') || action === 'list_audit_trail'
  );
}

export const FEES_ACCESS = { role: 'admin', rateLimit: FEES, idempotency: true } as const satisfies Access;

export function describeAccess({ role = 'viewer', secureSession = false }: Access): string {
  return `Minimum role: ${role}. Secure session: ${secureSession ? 'yes' : 'no'}.`;
}
