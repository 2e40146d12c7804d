import fc from 'fast-check';
import { formatAuditCursor } from '../../contracts/http/billing/history';
import { formatExportCursor } from '../../contracts/http/billing/export-cursor';
import { PROTOTYPE_FIELDS, UNKNOWN_FIELDS, wrongFor, type Schema } from './wrong-values';

/** An invalid request, and the paths of its invalid fields. */
export interface WrongRequest {
  readonly path: string;
  /** JSON, since an object literal cannot have every key. */
  readonly body: string;
  readonly pointers: readonly string[];
}

/** A valid value of each field; a new field needs one too. */
const VALID_VALUES: Readonly<Record<string, unknown>> = {
  actor: 'admin@test',
  after: 'm-1',
  asOf: '2026-11-20T12:00:00Z',
  auditedAction: 'void_invoice',
  billingPeriod: '2026-11',
  collection_status: 'collected',
  created_at: '2026-11-20T12:00:00Z',
  dateFrom: '2026-11-01',
  dateTo: '2026-11-30',
  feeId: 'fuzz',
  feeType: 'creation',
  fee_amount: '1.50',
  fee_type: 'creation',
  format: 'csv',
  gross_amount: '100.00',
  id: 'fuzz',
  invoiceId: '00000000-0000-4000-8000-000000000000',
  merchantId: 'm-1',
  merchantSlug: 'espresso',
  merchant_id: 'm-1',
  merchant_name: 'Espresso & Co',
  merchant_slug: 'espresso',
  name: 'Espresso & Co',
  page: 1,
  pageSize: 50,
  paidAt: '2026-11-20T12:00:00Z',
  proof: true,
  reason: 'because',
  reference: 'wire 7',
  settlementId: '00000000-0000-4000-8000-000000000000',
  slug: 'espresso',
  tiers: [{ from: '0', rate: '0.05' }],
};
/** Their values depend on the action. */
const BY_ACTION: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  status: {
    export_revenue_csv: 'collected',
    list_fee_ledger: 'collected',
    list_invoices: 'draft',
    list_settlements: 'pending',
    list_rebates: 'accrued',
  },
  cursor: {
    export_revenue_csv: formatExportCursor({
      position: 0,
      after: { created_at: '2026-11-20T12:00:00.000Z', id: 'fuzz' },
      query: 'x',
      ledger: 'y',
    }),
    list_audit_trail: formatAuditCursor({ day: '2026-11-20', revision: 0, line: 0 }),
  },
};

interface Fault {
  readonly kind: 'wrong' | 'missing' | 'unknown' | 'poisoned';
  readonly field: string;
  readonly value: unknown;
}

const validValueFor = (name: string, schema: Schema, action: unknown): unknown => {
  if (schema.const !== undefined) return schema.const;
  const value = BY_ACTION[name]?.[String(action)] ?? VALID_VALUES[name];
  if (value === undefined) throw new Error(`test/fuzz/requests.ts has no valid value for ${name}`);
  return value;
};

/** Objects with one to three faults; other fields are valid, and optional ones sometimes missing. */
function faulty(
  schema: Schema,
  needed = schema.required ?? [],
): fc.Arbitrary<{ readonly entries: [string, unknown][]; readonly faults: Fault[] }> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const action = properties['action']?.const;
  const fault = fc.oneof(
    ...names.map(field =>
      wrongFor(field, properties[field]!).map((value): Fault => ({ kind: 'wrong', field, value })),
    ),
    ...needed.map(field => fc.constant<Fault>({ kind: 'missing', field, value: undefined })),
    fc
      .tuple(UNKNOWN_FIELDS, fc.constantFrom<unknown>(1, null, 'x', {}))
      .map(([field, value]): Fault => ({ kind: 'unknown', field, value })),
    fc
      .constantFrom(...PROTOTYPE_FIELDS)
      .map((field): Fault => ({ kind: 'poisoned', field, value: { polluted: true } })),
  );
  return fc
    .tuple(
      fc.uniqueArray(fault, { minLength: 1, maxLength: 3, selector: ({ field }) => field }),
      fc.uniqueArray(fc.constantFrom(...names), { maxLength: names.length }),
    )
    .map(([faults, omitted]) => {
      const at = new Map(faults.map(each => [each.field, each]));
      const kept = names.filter(name => required.includes(name) || !omitted.includes(name));
      const right = kept
        .filter(name => !at.has(name))
        .map((name): [string, unknown] => [name, validValueFor(name, properties[name]!, action)]);
      const wrong = faults
        .filter(({ kind }) => kind !== 'missing')
        .map(({ field, value }): [string, unknown] => [field, value]);
      return { entries: [...right, ...wrong], faults };
    });
}

/** Not JSON.stringify of an object, so that `__proto__` is a key like any other. */
const jsonOf = (entries: readonly [string, unknown][]): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** Invalid requests to `/api/instance-admin`. @param schema of its body */
export function wrongActions(schema: Schema): fc.Arbitrary<WrongRequest> {
  return fc.oneof(
    ...(schema.oneOf ?? schema.anyOf ?? []).map(of =>
      faulty(of).map(({ entries, faults }) => ({
        path: '/api/instance-admin',
        body: jsonOf(entries),
        pointers: faults.map(({ field }) => `/body/${escaped(field)}`),
      })),
    ),
  );
}

/** A row without an action is a valid one of another kind. */
const allButAction = ({ required = [] }: Schema): string[] => required.filter(name => name !== 'action');

/** Invalid rows of fees, among valid rows. @param schema of the body */
export function wrongFees(schema: Schema): fc.Arbitrary<WrongRequest> {
  const row = schema.properties!['fees']!.items!;
  const kinds = row.oneOf ?? row.anyOf ?? [];
  return fc
    .tuple(fc.oneof(...kinds.map(of => faulty(of, allButAction(of)))), fc.nat({ max: 2 }))
    .map(([{ entries, faults }, index]) => {
      const right = jsonOf([
        ['action', 'collect'],
        ['id', 'fuzz'],
      ]);
      const rows = [right, right, right].with(index, jsonOf(entries));
      return {
        path: '/api/fees',
        body: `{"fees":[${rows.join(',')}]}`,
        pointers: faults.map(({ field }) => `/body/fees/${index}/${escaped(field)}`),
      };
    });
}
