import type { InvoiceEvent, InvoiceGenerated } from '../../../contracts/events/invoice';
import { invoiceDecider, type InvoiceCommand } from './decider';
import { invoiceNumberDecider } from './number';
import { invoicePeriodDecider } from './period';

const metadata = { now: '2026-12-01T09:00:00.000Z', actor: 'ann' };
const content: Omit<InvoiceGenerated, 'at' | 'by'> = {
  invoiceId: 'i-1',
  billingPeriod: '2026-11',
  currency: 'USD',
  timeZone: 'UTC',
  periodStart: '2026-11-01T00:00:00.000Z',
  periodEnd: '2026-12-01T00:00:00.000Z',
  ledgerPosition: 7,
  feeCount: 1,
  totalFee: '1.50',
  totalGross: '100.00',
  replacesInvoiceId: null,
  lines: [],
  drafted: null,
  contentHash: 'aa',
  reversedBefore: { feeCount: 0, totalFee: '0.00' },
};
const reason = { subject: 'ann', ciphertext: 'v1.key.c2VhbGVk' };
const done = { invoiceId: 'i-1', billingPeriod: '2026-11', at: metadata.now, by: 'ann' };

const generated: InvoiceEvent = {
  type: 'InvoiceGenerated',
  data: { ...content, at: metadata.now, by: 'ann' },
};
const begun: InvoiceEvent = { type: 'InvoiceFinalizationStarted', data: { ...done, issuedOn: '2026-12-01' } };
const finalized: InvoiceEvent = { type: 'InvoiceFinalized', data: { ...done, number: 'INV-202612-0001' } };
const voided: InvoiceEvent = { type: 'InvoiceVoided', data: { ...done, reason } };

const generate: InvoiceCommand = { type: 'generate', content, metadata };
const begin: InvoiceCommand = {
  type: 'start_finalization',
  invoiceId: 'i-1',
  issuedOn: '2026-12-01',
  metadata,
};
const finalize: InvoiceCommand = { type: 'finalize', invoiceId: 'i-1', number: 'INV-202612-0001', metadata };
const annul: InvoiceCommand = {
  type: 'void',
  invoiceId: 'i-1',
  reason,
  isReasonRequired: true,
  metadata,
};
const annulWithoutReason: InvoiceCommand = { ...annul, reason: null };
const annulWithoutRequiredReason: InvoiceCommand = { ...annul, reason: null, isReasonRequired: false };

const drafted = { digest: 'bb', parts: 2 };
const generateInParts: InvoiceCommand = { type: 'generate', content: { ...content, drafted }, metadata };
const generatedInParts: InvoiceEvent = {
  type: 'InvoiceGenerated',
  data: { ...content, drafted, at: metadata.now, by: 'ann' },
};

const voidedWithoutReason: InvoiceEvent = { type: 'InvoiceVoided', data: { ...done, reason: null } };

const NOTHING: InvoiceEvent[] = [];
const DRAFT = [generated];
const BEGUN = [generated, begun];
const FINAL = [generated, begun, finalized];
const VOID_DRAFT = [generated, voided];
const VOID_FINAL = [generated, begun, finalized, voided];

/** State by command: the events, or the code of the refusal. */
const TABLE: [string, InvoiceEvent[], InvoiceCommand, InvoiceEvent[] | string][] = [
  ['nothing', NOTHING, generate, [generated]],
  ['nothing but parts', NOTHING, generateInParts, [generatedInParts]],
  ['a draft in parts', [generatedInParts], generate, 'invoice_period_exists'],
  ['a draft in parts', [generatedInParts], begin, [begun]],
  ['a draft in parts', [generatedInParts], annul, [voided]],
  ['nothing', NOTHING, begin, 'invoice_not_found'],
  ['nothing', NOTHING, finalize, 'invoice_not_found'],
  ['nothing', NOTHING, annul, 'invoice_not_found'],
  ['a draft', DRAFT, generate, 'invoice_period_exists'],
  ['a draft', DRAFT, generateInParts, 'invoice_period_exists'],
  ['a draft', DRAFT, begin, [begun]],
  ['a draft', DRAFT, finalize, 'invoice_not_draft'],
  ['a draft', DRAFT, annul, [voided]],
  ['a draft being finalized', BEGUN, generate, 'invoice_period_exists'],
  ['a draft being finalized', BEGUN, begin, []],
  ['a draft being finalized', BEGUN, finalize, [finalized]],
  ['a draft being finalized', BEGUN, annul, 'invoice_finalizing'],
  ['a finalized invoice', FINAL, generate, 'invoice_period_exists'],
  ['a finalized invoice', FINAL, begin, 'invoice_not_draft'],
  ['a finalized invoice', FINAL, finalize, 'invoice_not_draft'],
  ['a finalized invoice', FINAL, annul, [voided]],
  ['a void draft', VOID_DRAFT, generate, 'invoice_period_exists'],
  ['a void draft', VOID_DRAFT, begin, 'invoice_not_draft'],
  ['a void draft', VOID_DRAFT, finalize, 'invoice_not_draft'],
  ['a void draft', VOID_DRAFT, annul, 'invoice_already_void'],
  ['a void invoice', VOID_FINAL, annul, 'invoice_already_void'],
  ['nothing', NOTHING, annulWithoutReason, 'invalid_request'],
  ['a draft', DRAFT, annulWithoutReason, 'invalid_request'],
  ['a draft being finalized', BEGUN, annulWithoutReason, 'invalid_request'],
  ['a finalized invoice', FINAL, annulWithoutReason, 'invalid_request'],
  ['a draft', DRAFT, annulWithoutRequiredReason, [voidedWithoutReason]],
  ['a finalized invoice', FINAL, annulWithoutRequiredReason, [voidedWithoutReason]],
];

describe('an invoice', () => {
  it.each(
    TABLE.map(
      ([from, events, command, expected]) => [from, command.type, events, command, expected] as const,
    ),
  )('%s, %s', (_from, _type, events, command, expected) => {
    const state = events.reduce(invoiceDecider.evolve, invoiceDecider.initial());
    const decision = invoiceDecider.decide(state, command);
    if (typeof expected === 'string') expect(decision).toMatchObject({ refused: true, code: expected });
    else expect(decision).toEqual(expected);
  });

  it('is not voided without a reason that is required, which the refusal names as such and not by a field of a request', () => {
    const decision = invoiceDecider.decide(null, annulWithoutReason);
    expect(decision).toMatchObject({ extra: { missing: 'reason' } });
    expect(JSON.stringify(decision)).not.toContain('/body');
  });

  it('is finalized by the actor that started it, also when another actor completes it', () => {
    const state = BEGUN.reduce(invoiceDecider.evolve, invoiceDecider.initial());
    const decision = invoiceDecider.decide(state, { ...finalize, metadata: { ...metadata, actor: 'bob' } });
    expect(decision).toMatchObject([{ data: { by: 'ann' } }]);
  });
});

describe('a billing period', () => {
  const period = (type: 'reserve' | 'release', invoiceId: string) =>
    ({ type, invoiceId, billingPeriod: '2026-11', metadata }) as const;
  const after = (...commands: ReturnType<typeof period>[]) =>
    commands.reduce(
      ({ state }, command) => {
        const events = invoicePeriodDecider.decide(state, command);
        if (!Array.isArray(events)) throw new Error('refused');
        return { state: events.reduce(invoicePeriodDecider.evolve, state), events };
      },
      { state: invoicePeriodDecider.initial(), events: [] as readonly unknown[] },
    );

  it('is held by the first invoice', () => {
    const { state, events } = after(period('reserve', 'i-1'), period('reserve', 'i-2'));
    expect(events).toEqual([]);
    expect(state).toEqual({ holder: 'i-1', previous: null });
  });

  it('is released by its holder only', () => {
    expect(after(period('reserve', 'i-1'), period('release', 'i-2')).state.holder).toBe('i-1');
    expect(after(period('reserve', 'i-1'), period('release', 'i-1')).state).toEqual({
      holder: null,
      previous: 'i-1',
    });
  });

  it('remembers the previous holder', () => {
    const { state } = after(period('reserve', 'i-1'), period('release', 'i-1'), period('reserve', 'i-2'));
    expect(state).toEqual({ holder: 'i-2', previous: 'i-1' });
    expect(after(period('release', 'i-1')).events).toEqual([]);
  });
});

describe('the numbers of a year', () => {
  const assign = (invoiceId: string, issuedOn: string) =>
    ({ type: 'assign', invoiceId, issuedOn, metadata }) as const;

  it('count up by one for each invoice, across months', () => {
    let numbers = invoiceNumberDecider.initial();
    for (const command of [
      assign('a', '2026-01-31'),
      assign('b', '2026-03-01'),
      assign('a', '2026-12-31'),
      assign('c', '2026-12-31'),
    ]) {
      const events = invoiceNumberDecider.decide(numbers, command);
      if (!Array.isArray(events)) throw new Error('refused');
      numbers = events.reduce(invoiceNumberDecider.evolve, numbers);
    }
    expect([...numbers]).toEqual([
      ['a', 'INV-202601-0001'],
      ['b', 'INV-202603-0002'],
      ['c', 'INV-202612-0003'],
    ]);
  });
});
