import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { asset, cached } from './installation';

const run = promisify(execFile);

/**
 * The folder with a server's jars, fetched from Maven Central the first time.
 * @param name of the server's folder of assets, where its `pom.xml` is
 * @param artifact its version is the property `<artifact>.version` of that file
 */
export async function jarsOf(name: string, artifact: string, version: string): Promise<string> {
  const folder = cached(`${artifact}-${version}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  try {
    await run('mvn', [
      ...['-q', '-B', '-Dstyle.color=never', '-f', asset(name, 'pom.xml')],
      ...['dependency:copy-dependencies', '-DincludeScope=runtime'],
      ...[`-D${artifact}.version=${version}`, `-DoutputDirectory=${half}`],
    ]);
    // Atomic: another process may be downloading too.
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    const { stdout = '' } = error as { stdout?: string };
    const reason = /ERROR\S* (\S.*)/.exec(stdout)?.[1] ?? String(error);
    if (!existsSync(folder))
      throw new Error(`${artifact} ${version} cannot be fetched: ${reason}`, { cause: error });
  }
  return folder;
}
