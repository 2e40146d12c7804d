import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { CommandMetadata } from '../../contracts/decider';
import { auditedCommand, type Tell } from '../../services/audit/command';
import type { Config } from '../program/config';
import { withEngines, type Toolbox } from './with-engines';

/** Whoever carries out a command that changes something: what its events say of that, and what its audit line tells. */
export interface Operator {
  /** As of now; of one run all the same but for the time. */
  metadata(): CommandMetadata;
  /** Adds to the audit line. Ids and counts; no free text. */
  readonly tell: Tell;
}

/**
 * The one way of commands that change something: `withEngines`, on behalf of the user of the operating system, with one
 * line in the audit trail before it is over.
 * @param about ids that the command was given
 */
export function asOperator<Result>(
  config: Config,
  command: Command,
  about: Readonly<Record<string, string>>,
  run: (tools: Toolbox, operator: Operator) => Promise<Result>,
): Promise<Result> {
  const who = { action: nameOf(command), actor: actor(), requestId: randomUUID() };
  const now = (): string => new Date().toISOString();
  return withEngines(config, tools =>
    auditedCommand(
      { store: tools.engines.store, instanceId: config.INSTANCE_ID, now },
      { ...who, about },
      tell => run(tools, { metadata: () => ({ now: now(), ...who }), tell }),
    ),
  );
}

/** `settlements void`: the words of a command behind the name of the program. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** Who it is according to the operating system, which has no name for some users of containers. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}
