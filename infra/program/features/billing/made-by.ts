import type { Command } from 'commander';

const texts = new WeakMap<Command, string>();

/** What `pointToMakers` says of a command, for errors; null of any other command. */
export function makersOf(command: Command): string | null {
  return texts.get(command) ?? null;
}

/**
 * Says where the things are made that a command only shows, in its help and in the error for `generate` and other commands that
 * it does not have.
 * @param actions of the API that make it
 */
export function pointToMakers(command: Command, actions: string): Command {
  const text = `The running program makes ${command.name()}, for callers with a role and a secure
session: in the console (/console), or by POST /api/instance-admin with the
action ${actions}.`;
  texts.set(command, text);
  return command.addHelpText('after', `\n${text}`);
}
