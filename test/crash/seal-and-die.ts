import { writeSync } from 'node:fs';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSubjectKeys } from '../../services/erasure/keys';
import { createPersonalTexts } from '../../services/erasure/personal-texts';

/** Seals a text, prints it and dies as by `kill -9`, before anybody has appended it to anything. */
const sealAndDie = async (path: string, masterKey: string, subject: string): Promise<void> => {
  const vault = openSqliteDocuments({ path, overwriting: true });
  const texts = createPersonalTexts(await openSubjectKeys(vault, Buffer.from(masterKey, 'base64')));
  writeSync(1, JSON.stringify(await texts.seal(subject, 'said just before the end')));
  process.kill(process.pid, 'SIGKILL');
};

const [path, masterKey, subject] = process.argv.slice(2);
void sealAndDie(path!, masterKey!, subject!);
