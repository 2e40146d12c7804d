import { Command } from 'commander';
import type { Config } from '../../../config/settings';
import { cardUserCommand } from './user-command';

/** The card service. */
export function cardCommand(config: () => Config): Command {
  return new Command('card').description('the card service').addCommand(cardUserCommand(config));
}
