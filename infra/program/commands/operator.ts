import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { CommandMetadata, DomainEvent, WithoutMetadata } from '../../../contracts/decider';
import { Problem } from '../../../contracts/problem/problem';
import { auditedCommand, type AddSubject } from '../../../services/audit/command';
import { createHandle } from '../../../services/commands/handle';
import type { StreamKind } from '../../../services/commands/stream-kind';
import { ensureIdentity } from '../identity';
import { assertLedgerComplete } from '../loss/lost-data';
import type { Config } from '../../config/settings';
import { withEngines, type Tools } from './with-engines';

/** The operator of a command that changes something, as its events and its audit line record it. */
export interface Operator {
  /** Within one run only the time differs. */
  metadata(): CommandMetadata;
  /** Adds to the audit line. Ids and counts; no free text. */
  readonly addSubject: AddSubject;
}

interface OperatorOptions<Result> {
  readonly despiteLoss?: boolean;
  readonly isRefused?: (result: Result) => boolean;
}

/**
 * Runs a command that changes something: `withEngines`, on behalf of the user of the operating system, with one line in
 * the audit trail before it ends.
 * @param about ids passed to the command
 * @param options.despiteLoss also on an event store or a log that has lost data
 * @param options.isRefused whether the result says that nothing was done
 * @throws EngineBehind
 */
export function asOperator<Result>(
  config: Config,
  command: Command,
  about: Readonly<Record<string, string>>,
  run: (tools: Tools, operator: Operator) => Promise<Result>,
  { despiteLoss = false, isRefused }: OperatorOptions<Result> = {},
): Promise<Result> {
  const who = { action: nameOf(command), actor: actor(), requestId: randomUUID() };
  const now = (): string => new Date().toISOString();
  return withEngines(config, async tools => {
    if (!despiteLoss) {
      await assertLedgerComplete(tools.engines);
      await ensureIdentity(config, tools.engines.store, { now: now(), actor: who.actor });
    }
    return auditedCommand(
      { store: tools.engines.store, instanceId: config.INSTANCE_ID, now },
      { ...who, about },
      addSubject => run(tools, { metadata: () => ({ now: now(), ...who }), addSubject }),
      isRefused,
    );
  });
}

interface Decided {
  readonly type: string;
  readonly metadata: CommandMetadata;
}

interface OperatorDecision<State, C extends Decided, Event extends DomainEvent> {
  /** Ids passed to the command. */
  readonly about: Readonly<Record<string, string>>;
  readonly kind: StreamKind<State, C, Event>;
  readonly stream: string;
  readonly given: WithoutMetadata<C>;
  /** What the audit line says of the state afterwards; default: nothing. */
  readonly subjectOf?: (state: State) => Readonly<Record<string, string>>;
}

/**
 * Runs a command that is one decision about one stream, as `asOperator`; the audit line says whether it changed anything.
 * @throws Problem when it is refused
 */
export function decideAsOperator<State, C extends Decided, Event extends DomainEvent>(
  config: Config,
  command: Command,
  { about, kind, stream, given, subjectOf }: OperatorDecision<State, C, Event>,
): Promise<{ readonly state: State; readonly changed: boolean }> {
  return asOperator(config, command, about, async ({ engines: { store } }, { metadata, addSubject }) => {
    // What TypeScript cannot infer of a union: a command is what was given, and its metadata.
    const decided = { ...given, metadata: metadata() } as unknown as C;
    const outcome = await createHandle({ store })(kind, stream, decided);
    if (outcome.refusal) throw Problem.of(outcome.refusal);
    const { state, events } = outcome;
    const changed = events.length > 0;
    addSubject({ ...subjectOf?.(state), changed: String(changed) });
    return { state, changed };
  });
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
