import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The codes that confirm phone numbers and e-mail addresses. They follow from a key, so that none is stored. */
export interface ContactCodes {
  /** Six digits. @param codeId counts the codes of the user */
  of(userId: string, codeId: number): string;
  /** In constant time. */
  isRight(userId: string, codeId: number, guess: string): boolean;
  /** What identifies a number or address, in any of its spellings, without telling it. @param contact a number of E.164, or an e-mail address */
  subjectOf(contact: string): string;
}

const INFO = 'tidemark card contact codes v1';
const DIGITS = 6;

/** Where an e-mail arrives: many servers ignore case, dots and what follows a `+`, so that one mailbox has any number of addresses. */
function mailboxOf(contact: string): string {
  const [local, domain] = contact.toLowerCase().split('@') as [string, string?];
  return domain === undefined ? local : `${local.replace(/\+.*/, '').replaceAll('.', '')}@${domain}`;
}

/** @param masterKey of the installation: codes of all its processes are the same */
export function createContactCodes(masterKey: Buffer): ContactCodes {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', INFO, 32));
  /** 48 bits: the remainder favours no code by more than one in 10^8. */
  const codeOf = (userId: string, codeId: number): string => {
    const bits = createHmac('sha256', key).update(`${userId}|${codeId}`).digest().readUIntBE(0, 6);
    return String(bits % 10 ** DIGITS).padStart(DIGITS, '0');
  };
  return {
    of: codeOf,
    isRight(userId, codeId, guess) {
      const [expected, given] = [Buffer.from(codeOf(userId, codeId)), Buffer.from(guess)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    subjectOf: contact =>
      createHmac('sha256', key)
        .update(`contact|${mailboxOf(contact)}`)
        .digest('base64url'),
  };
}
