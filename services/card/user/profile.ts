import { v5 } from 'uuid';
import { kycPerson, type CardProfile, type KycPerson } from '../../../contracts/http/card/user';
import { readJson } from '../../../contracts/json/read-json';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import type { CardUser } from '../../../projections/card/fold-user';
import type { PersonalTexts } from '../../personal-texts/personal-text';

const NAMESPACE = '2f6a0f0e-6d0b-5a0e-8f55-2a7a3d0c1b47';

/** Names a user to others, such as those who count visits: nobody can ask for anything with it. */
export function publicUserId(userId: string): string {
  return v5(userId, NAMESPACE);
}

/** The app asks each purchase of the holder by a button, or shows a code to type. */
const OTP_CONFIG: CardProfile['otpConfig'] = {
  availableProperties: {
    confirmationTypes: ['CONFIRMATION_BUTTON', 'TEXT_CODE'],
    email: false,
    push: true,
    sms: false,
  },
  currentConfig: { confirmationType: 'CONFIRMATION_BUTTON', email: false, push: true, sms: false },
};

const UNKNOWN: KycPerson = {
  firstName: '',
  lastName: '',
  middleName: '',
  dateOfBirth: '',
  country: '',
  documentKind: '',
  documentNumber: '',
  documentCountry: '',
  documentValidUntil: '',
  address: {},
};

/** What is known about a card holder; what was erased is not. @throws DamagedText */
export async function profileOf(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  { userId, phone, email, kyc: { profile } }: CardUser,
): Promise<CardProfile> {
  const [knownPhone, knownEmail, person] = await decryptKnown(texts, [phone, email, profile]);
  return {
    userId: publicUserId(userId),
    email: knownEmail ?? '',
    emailVerified: email !== null,
    phone: knownPhone ?? '',
    ...personOf(person ?? null),
    riskScore: '',
    riskPercent: 0,
    preferredLocale: null,
    otpConfig: OTP_CONFIG,
  };
}

async function decryptKnown(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  encrypted: readonly (EncryptedText | null)[],
): Promise<(string | null)[]> {
  const known = encrypted.filter(text => text !== null);
  const decrypted = await texts.decryptAll(known);
  return encrypted.map(text => (text === null ? null : (decrypted[known.indexOf(text)] ?? null)));
}

const personOf = (json: string | null): KycPerson =>
  json === null ? UNKNOWN : kycPerson.parse({ ...UNKNOWN, ...Object(readJson(json)) });
