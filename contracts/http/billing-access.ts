import type { Role } from '../principal';

/** Who may do what: the guard, the limits, the documentation and nothing else decide by this. */
export interface Access {
  readonly role: Role;
  /** The caller must have authenticated strongly, and not too long ago. */
  readonly secureSession: boolean;
  /**
   * Which of the caller's quotas a call is taken from. All but reads are in the audit trail whatever they come to; writes
   * and fees take an `Idempotency-Key`.
   */
  readonly counts: 'reads' | 'exports' | 'writes' | 'fees';
}

const READ: Access = { role: 'finance', secureSession: false, counts: 'reads' };
const EXPORT: Access = { ...READ, counts: 'exports' };
const WRITE: Access = { role: 'admin', secureSession: true, counts: 'writes' };

/** Actions that answer a report and change nothing. */
export const REPORT_ACCESS = {
  get_revenue: READ,
  list_fee_ledger: READ,
  export_revenue_csv: EXPORT,
  list_invoices: READ,
  get_invoice: READ,
  list_settlements: READ,
  list_rebates: READ,
} as const;

const COMMAND_ACCESS = {
  generate_invoice: WRITE,
  finalize_invoice: WRITE,
  void_invoice: WRITE,
  generate_settlement: WRITE,
  mark_settlement_paid: WRITE,
} as const;

export const ADMIN_ACCESS = { ...REPORT_ACCESS, ...COMMAND_ACCESS };

export type ReportAction = keyof typeof REPORT_ACCESS;
export type CommandAction = keyof typeof COMMAND_ACCESS;
export type AdminAction = ReportAction | CommandAction;

export const FEES_ACCESS: Access = { role: 'admin', secureSession: false, counts: 'fees' };

export function describeAccess({ role, secureSession }: Access): string {
  return `Minimum role: ${role}. Secure session: ${secureSession ? 'yes' : 'no'}.`;
}
