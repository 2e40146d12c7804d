import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { asset, cachedFolder } from './installation';

const run = promisify(execFile);

/**
 * An option of Java: a server of tests, or a command, has no time to gain from its second compiler, which takes half of the
 * processor time of a start, and two thirds of that of MongoDB's stand-in.
 */
export const FIRST_COMPILER = '-XX:TieredStopAtLevel=1';

/**
 * The folder with a server's jars, fetched from Maven Central the first time.
 * @param name of the server's folder of assets, where its `pom.xml` is
 * @param artifact its version is the property `<artifact>.version` of that file
 */
export function jarsOf(name: string, artifact: string, version: string): Promise<string> {
  return cachedFolder(`${artifact}-${version}`, async folder => {
    try {
      await run('mvn', [
        ...['-q', '-B', '-Dstyle.color=never', '-f', asset(name, 'pom.xml')],
        ...['dependency:copy-dependencies', '-DincludeScope=runtime'],
        ...[`-D${artifact}.version=${version}`, `-DoutputDirectory=${folder}`],
      ]);
    } catch (error) {
      const { stdout = '' } = error as { stdout?: string };
      const reason = /ERROR\S* (\S.*)/.exec(stdout)?.[1] ?? String(error);
      throw new Error(`${artifact} ${version} cannot be fetched: ${reason}`, { cause: error });
    }
  });
}
