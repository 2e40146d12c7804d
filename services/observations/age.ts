import type { Age } from '../retention/retention';

export const OBSERVATION_AGE: Age = {
  name: 'observation',
  of: 'what was read of jettons, NFTs, contracts, accounts, signatures, stakes, applications and documents of tokens, so long after it was read last',
  days: 90,
  note: `Whatever is read while it is stale is read again behind the answer: what goes is what nobody has asked for. Records on the log remove it,
in a later rebuild too, and go a day later or more. The next read has it read again, as the first one did. What a member of a pool had after past
rounds stays, since nodes do not have those blocks for ever, and so does what is read of networks, their elections and the pools of the operator.`,
};
