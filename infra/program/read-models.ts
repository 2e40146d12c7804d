import { solanaDecoder } from '../../indexers/solana/decode/decode';
import { tonDecoder } from '../../indexers/ton/decoder';
import { BILLING_MODELS } from '../../projections/billing/models';
import type { Projection } from '../../projections/projection';
import { solanaAccountsProjection } from '../../projections/solana/accounts';
import { solanaSignaturesProjection } from '../../projections/solana/signatures';
import { solanaTokensProjection } from '../../projections/solana/tokens';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import { tonMessagesProjection } from '../../projections/ton/messages';
import { tonTransactionsProjection } from '../../projections/ton/transactions/projection';

/** Every read model of the program. A newer decoder makes newer versions of what it feeds, which rebuild themselves. */
export const READ_MODELS: readonly Projection[] = [
  ...BILLING_MODELS,
  tonTransactionsProjection(tonDecoder),
  tonMessagesProjection(tonDecoder),
  solanaTransactionsProjection(solanaDecoder),
  solanaAccountsProjection,
  solanaTokensProjection,
  solanaSignaturesProjection,
];
