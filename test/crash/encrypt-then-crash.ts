import { writeSync } from 'node:fs';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSubjectKeys } from '../../services/personal-texts/keys';
import { createPersonalTexts } from '../../services/personal-texts/personal-texts';

/** Encrypts a text, prints it and kills itself. */
const encryptThenCrash = async (path: string, masterKey: string, subject: string): Promise<void> => {
  const vault = openSqliteDocuments({ path, secureDelete: true });
  const texts = createPersonalTexts(await openSubjectKeys(vault, Buffer.from(masterKey, 'base64')));
  writeSync(1, JSON.stringify(await texts.encrypt(subject, 'the last text')));
  process.kill(process.pid, 'SIGKILL');
};

const [path, masterKey, subject] = process.argv.slice(2);
void encryptThenCrash(path!, masterKey!, subject!);
