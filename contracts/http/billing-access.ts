import type { Role } from '../principal';

/** Who may do what: the guard, the documentation and nothing else decide by this. */
export interface Access {
  readonly role: Role;
  /** The caller must have authenticated strongly, and not too long ago. */
  readonly secureSession: boolean;
}

const READ: Access = { role: 'finance', secureSession: false };
const WRITE: Access = { role: 'admin', secureSession: true };

export const ADMIN_ACCESS = {
  get_revenue: READ,
  list_fee_ledger: READ,
  export_revenue_csv: READ,
  list_invoices: READ,
  get_invoice: READ,
  generate_invoice: WRITE,
  finalize_invoice: WRITE,
  void_invoice: WRITE,
} as const;

export type AdminAction = keyof typeof ADMIN_ACCESS;

export const FEES_ACCESS: Access = { role: 'admin', secureSession: false };

export const describeAccess = ({ role, secureSession }: Access): string =>
  `Minimum role: ${role}. Secure session: ${secureSession ? 'yes' : 'no'}.`;
