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

  chain.onBlock(({ utime }) => {
    const phase = phaseKey(elections.phaseAt(utime));
    const known = ledger.setting(PHASE) ?? phaseKey(elections.phaseAt(chain.zeroState.utime));
    if (phase === known) return;
    ledger.set(PHASE, phase);
    chain
      .submit({ cell: ADVANCE, destination: ELECTOR_ADDRESS })
      .then(receipt => {
        // It is refused when the elector has made the step already: the network stopped before it had stored that.
        if (!receipt.included) logger.debug({ phase, reason: receipt.reason }, 'elector not advanced');
      })
      .catch((error: unknown) => logger.warn({ err: error, phase }, 'elector not advanced'));
  });
  // What the elector had done since is undone.
  chain.onRollback(() => ledger.set(PHASE, 'rolled back'));
}
