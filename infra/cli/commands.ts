import { COMMAND_SECTIONS, type CommandEntry } from '../program/commands/command';
import { OWN_COMMANDS } from './own-commands';
import { billingCommands } from '../program/features/billing/commands';
import { ledgerCommands } from '../program/features/ledger-tree/commands';
import { erasureCommands } from '../program/features/erasure/commands';
import { appConfigCommands } from '../program/features/app-config/commands';
import { tokenCommands } from '../program/features/tokens/commands';
import { rateCommands } from '../program/features/rates/commands';
import { allowedDomainCommands } from '../program/features/allowed-domains/commands';
import { tonConfigCommands } from '../program/features/ton-config/commands';
import { serviceAddressCommands } from '../program/features/service-addresses/commands';
import { bannerCommands } from '../program/features/banners/commands';
import { appCommands } from '../program/features/apps/commands';
import { exchangeCommands } from '../program/features/exchange/commands';
import { pushCommands } from '../program/features/push/commands';
import { cardCommands } from '../program/features/card/commands';
import { stakingCommands } from '../program/features/staking/commands';
import { gaslessCommands } from '../program/features/gasless/commands';
import { clientErrorCommands } from '../program/features/client-errors/commands';

/**
 * All commands of `tidemark`. Those of groups are what the features have as `commands`, which a test compares: here they are
 * listed without loading the features, so that help is there at once.
 */
export const COMMANDS: readonly CommandEntry[] = [
  ...OWN_COMMANDS,
  ...billingCommands,
  ...ledgerCommands,
  ...erasureCommands,
  ...appConfigCommands,
  ...tokenCommands,
  ...rateCommands,
  ...allowedDomainCommands,
  ...tonConfigCommands,
  ...serviceAddressCommands,
  ...bannerCommands,
  ...appCommands,
  ...exchangeCommands,
  ...pushCommands,
  ...cardCommands,
  ...stakingCommands,
  ...clientErrorCommands,
  ...gaslessCommands,
];

/** As the help lists them. */
export const COMMAND_GROUPS = COMMAND_SECTIONS.map(title => ({
  title,
  commands: COMMANDS.filter(({ section }) => section === title),
}));
