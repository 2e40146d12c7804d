import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEventStoreDb } from '../../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { PROGRAM } from '../eventstoredb';
import { freePorts, startProgram } from '../program';

const START_TIMEOUT_MS = 300_000;

export interface SecuredDouble {
  readonly urlFor: (credentials: string) => string;
  stop(): Promise<void>;
}

/** The double of EventStoreDB with TLS and a single user. @param credentials user:password */
export async function startSecuredDouble(credentials: string): Promise<SecuredDouble> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-secured-'));
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
  ]);
  const [port] = (await freePorts(1)) as [number];
  const args = [PROGRAM, join(folder, 'data'), String(port), certificate, key, credentials];
  const program = await startProgram(process.execPath, args, join(folder, 'output.log'));
  const urlFor = (user: string): string =>
    `esdb://${user}@localhost:${port}?tlsCAFile=${encodeURIComponent(certificate)}`;
  await program.answers(
    async () => (await openEventStoreDb({ url: urlFor(credentials) })).close(),
    START_TIMEOUT_MS,
  );
  return {
    urlFor,
    async stop() {
      await program.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
