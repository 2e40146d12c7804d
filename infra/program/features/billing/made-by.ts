import type { Command } from 'commander';

/**
 * Says where the things are made that a command only shows, in its help and in the error for `generate` and other commands that
 * it does not have.
 * @param actions of the API that make it
 */
export function pointToMakers(command: Command, actions: string): Command {
  const text = `The running program makes ${command.name()}, for callers with a role and a secure
session: in the console (/console), or by POST /api/instance-admin with the
action ${actions}.`;
  return command
    .addHelpText('after', `\n${text}`)
    .on('command:*', ([name]: readonly string[]) =>
      command.error(`error: unknown command '${name}'. ${text}`, { code: 'commander.unknownCommand' }),
    );
}
