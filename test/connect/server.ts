import type { RecordedEvent } from '../../contracts/ports/event-store';
import { connect } from '../../infra/program/features/connect';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';

export interface ConnectServer extends TestProgram {
  readonly url: string;
  /** Milliseconds that its clock is ahead. */
  ahead: number;
  events(): Promise<RecordedEvent[]>;
}

/** A program that serves connections alone. */
export async function startConnectServer(
  options: Omit<TestProgramOptions, 'features' | 'clock'> = {},
): Promise<ConnectServer> {
  const time = { ahead: 0 };
  const program = await startTestProgram({
    ...options,
    features: [connect],
    clock: () => new Date(Date.now() + time.ahead),
    readWait: { longPollMs: 600_000, ...options.readWait },
  });
  return Object.assign(time, {
    ...program,
    url: await program.listen(),
    async events() {
      const all: RecordedEvent[] = [];
      for await (const page of program.deps.engines.store.readAll()) all.push(...page);
      return all;
    },
  });
}
