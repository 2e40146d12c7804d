import { Address, beginCell, external, storeMessage } from '@ton/core';
import type { Logger } from 'pino';
import type { Chain } from '../chain/chain';
import { ELECTOR_ADDRESS } from './elector';
import { phaseKey } from './schedule';

const PHASE = 'election-phase';

const ADVANCE = beginCell()
  .store(storeMessage(external({ to: Address.parseRaw(ELECTOR_ADDRESS) })))
  .endCell();

/** Moves the elector on when the clock of the chain enters another phase of the elections, in the block after it. */
export function keepElections(chain: Chain, logger: Logger): void {
  const { ledger, elections } = chain;
  let submitted: string | null = null;

  chain.onBlock(({ utime }) => {
    const phase = phaseKey(elections.phaseAt(utime));
    const known = ledger.setting(PHASE) ?? phaseKey(elections.phaseAt(chain.zeroState.utime));
    if (phase === known || phase === submitted) return;
    submitted = phase;
    chain
      .submit({ cell: ADVANCE, destination: ELECTOR_ADDRESS })
      .then(receipt => {
        // It is refused when the elector has made the step already: the network stopped before the phase was stored.
        if (!receipt.included) logger.debug({ phase, reason: receipt.reason }, 'elector not advanced');
        // After the step, so that a network that stops before it makes it at its next start.
        if (submitted === phase) ledger.set(PHASE, phase);
      })
      .catch((error: unknown) => logger.warn({ err: error, phase }, 'elector not advanced'))
      .finally(() => {
        if (submitted === phase) submitted = null;
      });
  });
  // What the elector had done since is undone.
  chain.onRollback(() => {
    submitted = null;
    ledger.set(PHASE, 'rolled back');
  });
}
