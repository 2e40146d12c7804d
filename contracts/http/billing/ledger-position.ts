/** The header of what has changed the ledger. */
export const LEDGER_POSITION = {
  'X-Ledger-Position': { description: 'The position after the change', required: true },
} as const;
