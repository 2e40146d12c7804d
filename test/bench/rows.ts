/** The rows in the order they are measured. Each is the file of that name in `rows/`, which exports `row`. */
export const ROWS = [
  'append',
  'commands',
  'rebuild',
  'reads',
  'changing-reads',
  'changing-jettons',
  'contracts',
  'lag',
  'ton-tail',
  'solana-decode',
  'price-fold',
  'price-chart',
  'account-stream',
  'bridge',
  'bridge-streams',
  'bridge-memory',
  'exchange-create',
  'exchange-tracking',
  'push',
  'ton-rpc',
  'cold-start',
  'ledger-size',
  'billing',
  'proofs',
] as const;

export type RowName = (typeof ROWS)[number];
