import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { CommandMetadata } from '../../contracts/decider';
import { auditedCommand, type AddSubject } from '../../services/audit/command';
import type { Config } from '../program/settings';
import { withEngines, type Tools } from './with-engines';

/** The operator of a command that changes something, as its events and its audit line record it. */
export interface Operator {
  /** Within one run only the time differs. */
  metadata(): CommandMetadata;
  /** Adds to the audit line. Ids and counts; no free text. */
  readonly addSubject: AddSubject;
}

/**
 * Runs a command that changes something: `withEngines`, on behalf of the user of the operating system, with one line in
 * the audit trail before it ends.
 * @param about ids passed to the command
 */
export function asOperator<Result>(
  config: Config,
  command: Command,
  about: Readonly<Record<string, string>>,
  run: (tools: Tools, operator: Operator) => Promise<Result>,
): Promise<Result> {
  const who = { action: nameOf(command), actor: actor(), requestId: randomUUID() };
  const now = (): string => new Date().toISOString();
  return withEngines(config, tools =>
    auditedCommand(
      { store: tools.engines.store, instanceId: config.INSTANCE_ID, now },
      { ...who, about },
      addSubject => run(tools, { metadata: () => ({ now: now(), ...who }), addSubject }),
    ),
  );
}

/** Such as `settlements void`. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** The user of the operating system, which has no name for some users of containers. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}
