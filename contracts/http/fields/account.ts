import { z } from 'zod';
import { parseAccountAddress } from '../../account/account-address';

/** An address of an account of any chain. */
export const accountAddress = z
  .string()
  .max(128)
  .refine(
    text => parseAccountAddress(text) !== null,
    'must be an address of TON, friendly or raw, or of Solana',
  );
