import { GASLESS_BUDGET_CATEGORY } from '../../contracts/events/gasless-budget';
import { GASLESS_HANDOVER_CATEGORY } from '../../contracts/events/gasless-handover';
import { GASLESS_QUOTE_CATEGORY } from '../../contracts/events/gasless-quote';
import { GASLESS_RELAY_CATEGORY } from '../../contracts/events/gasless-relay';
import { GASLESS_SEND_CATEGORY } from '../../contracts/events/gasless-send';
import { removeByDecider, type Retention } from '../retention/retention';
import { gaslessHandoverKind } from './handover/decider';
import { gaslessSendKind } from './send/decider';

/** A quote is valid for minutes. */
export const GASLESS_QUOTE_RETENTION: Retention = {
  name: 'gasless_quote',
  of: 'quotes of gasless transfers',
  category: GASLESS_QUOTE_CATEGORY,
  days: 1,
  hasNoDocument: () => true,
};

/** The longest cooldown is a day, and is forgotten a day later. */
export const GASLESS_BUDGET_RETENTION: Retention = {
  name: 'gasless_budget',
  of: 'what the relayer has spent for a wallet or a source, and how often its requests were refused',
  category: GASLESS_BUDGET_CATEGORY,
  days: 7,
  hasNoDocument: () => true,
};

/** Those that are on their way stay. */
export const GASLESS_SEND_RETENTION: Retention = {
  name: 'gasless_send',
  of: 'gasless transfers that have ended, so long after that',
  category: GASLESS_SEND_CATEGORY,
  days: 90,
  hasNoDocument: ({ type }) => type === 'GaslessSendRemoved',
  remove: removeByDecider(gaslessSendKind),
};

/** Those that may still be on their way stay. */
export const GASLESS_HANDOVER_RETENTION: Retention = {
  name: 'gasless_handover',
  of: 'gasless transfers that were handed over to the relayer of somebody else and have ended, so long after that',
  category: GASLESS_HANDOVER_CATEGORY,
  days: 90,
  hasNoDocument: ({ type }) => type === 'GaslessHandoverRemoved',
  remove: removeByDecider(gaslessHandoverKind),
};

/** The last one stays: it says which seqno of the relay wallet is next. */
export const GASLESS_RELAY_RETENTION: Retention = {
  name: 'gasless_relay',
  of: 'messages of the relay wallet, so long after the next one',
  category: GASLESS_RELAY_CATEGORY,
  days: 90,
  hasNoDocument: () => false,
  lastEventIsState: true,
};
