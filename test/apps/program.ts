import { allowedDomains } from '../../infra/program/features/allowed-domains';
import { apps } from '../../infra/program/features/apps';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** A program that knows applications, behind a proxy that names its callers. */
export interface AppsProgram extends TestProgram {
  /** @param from the address of the caller @param body of a POST; default: a GET */
  call(from: string, path: string, body?: object): Promise<Answer>;
}

export async function startAppsProgram(
  options: Pick<TestProgramOptions, 'clients' | 'readWait' | 'settings' | 'clock' | 'open'> = {},
): Promise<AppsProgram> {
  const program = await startTestProgram({
    ...options,
    features: [apps, allowedDomains],
    beside: [tonContracts],
    settings: { TRUSTED_PROXIES: '1', ...options.settings },
    readWait: { waitMs: 5_000 },
  });
  const url = await program.listen();
  return {
    ...program,
    async call(from, path, body) {
      const response = await fetch(`${url}${path}`, {
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
}
