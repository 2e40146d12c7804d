import { DEFAULT_DATA_DIR, type Config } from '../../config/settings';

/** What a shell takes as it is. */
const PLAIN = /^[\w./-]+$/;

/** What stands before a command line of a checkout that is about this data folder: nothing where it is the default one. */
export function dataDirPrefix({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  if (DATA_DIR === DEFAULT_DATA_DIR) return '';
  return `DATA_DIR=${PLAIN.test(DATA_DIR) ? DATA_DIR : `'${DATA_DIR.replaceAll("'", "'\\''")}'`} `;
}

/** The command line that deletes all data of the program with these settings, and of no other. */
export function resetLine(config: Pick<Config, 'DATA_DIR'>): string {
  return `${dataDirPrefix(config)}npm run -s tidemark -- reset --yes`;
}
