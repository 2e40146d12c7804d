import { Problem } from '../../../contracts/problem';

/**
 * A stored invoice that does not give its hash: somebody or something has changed the document. The events are what
 * counts and `tidemark rebuild invoices` makes the document anew from them; until then nothing of it is shown.
 */
export function ledgerDamaged(invoiceId: string): Problem {
  return new Problem(
    503,
    'ledger_damaged',
    `The stored invoice ${invoiceId} differs from its hash; its operator can mend it with \`tidemark rebuild invoices\`.`,
    { extra: { invoiceId } },
  );
}
