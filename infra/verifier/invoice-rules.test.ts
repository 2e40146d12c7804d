import fc from 'fast-check';
import { isRefusal } from '../../contracts/decider';
import { invoiceStream, type InvoiceEvent } from '../../contracts/events/invoice';
import { invoiceDecider, type InvoiceCommand } from '../../services/billing/invoice/decider';
import { INVOICE } from '../../test/events/samples/invoice';
import { runs } from '../../test/random';
import { InvoiceRules } from './invoice-rules';

const metadata = { now: '2026-12-02T09:00:00.000Z', actor: 'bob' };
const { at: _, by: __, ...content } = INVOICE.InvoiceGenerated;
const { invoiceId } = content;
const COMMANDS: readonly InvoiceCommand[] = [
  { type: 'generate', content, metadata },
  { type: 'start_finalization', invoiceId, issuedOn: '2026-12-02', metadata },
  { type: 'finalize', invoiceId, number: 'INV-202612-0001', metadata },
  { type: 'void', invoiceId, reason: null, isReasonRequired: false, metadata },
];

it('are kept by whatever commands do to an invoice', () => {
  const seen = new Set<InvoiceEvent['type']>();
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...COMMANDS), { maxLength: 30, size: 'max' }), commands => {
      const rules = new InvoiceRules();
      let state = invoiceDecider.initial();
      let revision = 0;
      for (const command of commands) {
        const decided = invoiceDecider.decide(state, command);
        if (isRefusal(decided)) continue;
        for (const event of decided) {
          rules.check({ ...event, stream: invoiceStream(invoiceId), revision, position: revision });
          revision++;
          seen.add(event.type);
        }
        state = decided.reduce(invoiceDecider.evolve, state);
      }
    }),
    runs(200),
  );
  expect(seen.size).toBe(4);
});
