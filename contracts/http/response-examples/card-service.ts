import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getCardManifest: {
    '1': {
      name: 'Cards of local',
      url: 'http://127.0.0.1:3000',
      iconUrl: 'http://127.0.0.1:3000/jsons/card-icon.png',
    },
  },
  getCardJsonsTonconnectManifestJson: {
    '1': {
      name: 'Cards of local',
      url: 'http://127.0.0.1:3000',
      iconUrl: 'http://127.0.0.1:3000/jsons/card-icon.png',
    },
  },
  connectCardWallet: { '1': { ok: true, token: 'FmPjBrIKSNWArjW1DzO6WOnoaletiqWAg97ktwIlx2I' } },
  checkCardInvitation: { '1': { allowed: true } },
  getCardAccountState: {
    '1': { ok: true, state: { state: 'ok', notificationSettings: { enabled: true }, suspended: false } },
  },
  getCardProfile: {
    '1': {
      ok: true,
      data: {
        userId: '33db2795-72ec-5452-8d57-150c6cb73a24',
        email: 'alice@example.com',
        emailVerified: true,
        phone: '+4930123456',
        firstName: 'Alice',
        lastName: 'Example',
        middleName: '',
        dateOfBirth: '',
        country: 'DE',
        documentKind: '',
        documentNumber: '',
        documentCountry: '',
        documentValidUntil: '',
        address: {},
        riskScore: '',
        riskPercent: 0,
        preferredLocale: null,
        otpConfig: {
          availableProperties: {
            confirmationTypes: ['CONFIRMATION_BUTTON', 'TEXT_CODE'],
            email: false,
            push: true,
            sms: false,
          },
          currentConfig: { confirmationType: 'CONFIRMATION_BUTTON', email: false, push: true, sms: false },
        },
      },
    },
  },
  getCardIban: { '1': { ok: true, enabled: false } },
  startCardPhone: { '1': { ok: true, expiresAt: '2026-11-28T21:21:30.346Z', sandbox: { code: '588994' } } },
  confirmCardPhone: {
    '1': {
      ok: true,
      state: { state: 'need-email', notificationSettings: { enabled: true }, suspended: false },
    },
  },
  startCardEmail: { '1': { ok: true, expiresAt: '2026-11-28T21:21:30.450Z', sandbox: { code: '487138' } } },
  confirmCardEmail: {
    '1': {
      ok: true,
      state: {
        state: 'need-kyc',
        kycStatus: null,
        notificationSettings: { enabled: true },
        suspended: false,
      },
    },
  },
  startCardKyc: {
    '1': {
      ok: true,
      state: {
        state: 'need-kyc',
        kycStatus: {
          applicantStatus: { review: { reviewStatus: 'pending' } },
          completed: false,
          result: null,
        },
        notificationSettings: { enabled: true },
        suspended: false,
      },
    },
  },
};
