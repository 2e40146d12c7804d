import { againstExpress } from '../against-express';
import type { Row } from '../row';

const READS = ['history v3', 'Solana tokens', 'list_fee_ledger'];

/**
 * Reads of what changes all the time: for each request a document that the answer is read from has changed, so that no
 * cached answer is of use and everything is read, made and serialised again. The cost of the changes is not in it.
 */
export const row: Row = setting =>
  againstExpress({
    setting,
    wanted: read => READS.includes(read),
    named: read => `${read}, changing`,
    manner: ['changing'],
  });
