import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import { cardIssuingWith } from '../../infra/program/features/card/issuing';
import { solana } from '../../infra/program/features/solana';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { startTestProgram, type TestProgram } from '../program';
import type { recordingIssuer } from './issuer';

/** The card service with an issuer that does what it is told. */
export function startCardProgram(
  { resource }: Pick<ReturnType<typeof recordingIssuer>, 'resource'>,
  more: Pick<Parameters<typeof startTestProgram>[0], 'clock' | 'folder' | 'open'> = {},
): Promise<TestProgram> {
  return startTestProgram({
    features: [card, cardAccounts, watch, cardIssuingWith(resource)],
    beside: [ton, solana],
    settings: { CARD_SANDBOX: 'true', CARD_CURRENCY: 'EUR', TRUSTED_PROXIES: '1' },
    ...more,
  });
}
