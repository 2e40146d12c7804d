import type { Age } from '../retention/retention';

export const OBSERVATION_AGE: Age = {
  name: 'observation',
  of: 'what was read of jettons, NFTs, contracts, accounts, signatures, stakes, applications and documents of tokens, so long after it was read last',
  days: 90,
  note: `What was read from chains and the web goes when nobody has asked for it: whatever is asked for while it is stale is read again. Records on
the log remove it, in a later rebuild too, and go a day later or more. The next one to ask has it read again, as the first one had. What a member of a pool had after past
rounds stays, since nodes do not have those blocks for ever, and so does what is read of networks, their elections and the pools of the operator.`,
};
