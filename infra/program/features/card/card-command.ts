import { Command } from 'commander';
import type { Config } from '../../../config/settings';
import { cardFreezeCommand } from './freeze-command';
import { cardLimitsCommand } from './limits-command';
import { cardScenarioCommand } from './scenario-command';
import { cardUserCommand } from './user-command';

/** The card service. */
export function cardCommand(config: () => Config): Command {
  return new Command('card')
    .description('the card service')
    .addCommand(cardUserCommand(config))
    .addCommand(cardFreezeCommand(config, 'freeze'))
    .addCommand(cardFreezeCommand(config, 'unfreeze'))
    .addCommand(cardLimitsCommand(config))
    .addCommand(cardScenarioCommand(config));
}
