import { againstExpress } from '../against-express';
import type { Row } from '../row';

const READS = ['history v3', 'Solana tokens', 'list_fee_ledger'];

/**
 * Reads of changing documents: no cached answer is valid, so that each is read, built and serialised again. The cost of
 * the changes is not included.
 */
export const row: Row = setting =>
  againstExpress({
    setting,
    wanted: read => READS.includes(read),
    named: read => `${read}, changing`,
    manner: ['changing'],
  });
