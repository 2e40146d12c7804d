import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getAppConfig: {
    '1': {
      txTimeout: 60,
      features: { swap: true, ethena: true },
      changelly: { minAmount: 31, minAmountCurrency: 'usd' },
      resources: {
        'staking.ethena.usdeMinter': 'EQAIb6KmdfdDR7CN1GBqVJuP25iCnLKCvBlJ07Evuu2dzP5f',
        'staking.ethena.tsUSDeMinter': 'EQDQ5UUyPHrLcQJlPAczd_fjxn8SLrlNQwolBznxCdSlfQwr',
        'staking.ethena.usdeVault': 'EQChGuD1u0e7KUWHH5FaYh_ygcLXhsdG2nSHPXHW8qqnpZXW',
      },
    },
  },
  getAppVersions: {
    '1': {
      ios: { critical: '0', latest: '0', url: '' },
      android: { critical: '0', latest: '0', url: '' },
      createdAt: 0,
      updatedAt: 0,
    },
  },
  getProtectAllowedDomains: { '1': { domains: ['.changelly.com', '.dedust.io'] } },
  getWalletBanners: {
    '1': {
      banners: [
        {
          id: 100,
          product_url: 'https://app.example.com',
          start_date: 0,
          expiration_date: 4102444800000,
          enabled: true,
          image_url: 'https://app.example.com/icon.png',
          icon_url: 'https://app.example.com/icon.png',
          title: 'Local application',
          description: 'An example: this application exists on this machine only.',
          banner_type: 'bannerItem',
        },
      ],
    },
  },
  getTonhubBanners: {
    '1': {
      banners: [
        {
          id: 100,
          product_url: 'https://app.example.com',
          start_date: 0,
          expiration_date: 4102444800000,
          enabled: true,
          image_url: 'https://app.example.com/icon.png',
          icon_url: 'https://app.example.com/icon.png',
          title: 'Local application',
          description: 'An example: this application exists on this machine only.',
          banner_type: 'bannerItem',
        },
      ],
    },
  },
  getWalletCardServiceBanners: {
    '1': {
      banners: [
        {
          id: 100,
          product_url: 'https://app.example.com',
          start_date: 0,
          expiration_date: 4102444800000,
          enabled: true,
          image_url: 'https://app.example.com/icon.png',
          icon_url: 'https://app.example.com/icon.png',
          title: 'Local application',
          description: 'An example: this application exists on this machine only.',
          banner_type: 'bannerItem',
        },
      ],
    },
  },
  getTonhubHoldersBanners: {
    '1': {
      banners: [
        {
          id: 100,
          product_url: 'https://app.example.com',
          start_date: 0,
          expiration_date: 4102444800000,
          enabled: true,
          image_url: 'https://app.example.com/icon.png',
          icon_url: 'https://app.example.com/icon.png',
          title: 'Local application',
          description: 'An example: this application exists on this machine only.',
          banner_type: 'bannerItem',
        },
      ],
    },
  },
  getAdsBanners: {
    '1': {
      product: {
        id: 'local-app',
        image: 'https://app.example.com/icon.png',
        title: 'Local application',
        description: 'An example: this application exists on this machine only.',
        url: 'https://app.example.com',
      },
    },
  },
  getAppsMetadata: {
    '1': {
      url: 'https://app.example.com',
      domain: 'app.example.com',
      title: 'app.example.com',
      name: 'app.example.com',
      description: null,
      color: null,
      originalImage: null,
      image: null,
      icon: null,
      extension: null,
      at: null,
    },
  },
  getAppsReviews: {
    '1': {
      review: {
        address: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
        rating: 4,
        createdAt: 1795735871329,
        updatedAt: 1795735872554,
        comment: { text: 'It works', images: [] },
        verified: true,
      },
      reviews: [
        {
          address: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
          rating: 4,
          createdAt: 1795735871329,
          updatedAt: 1795735872554,
          comment: { text: 'It works', images: [] },
          verified: true,
        },
      ],
    },
  },
  submitAppReview: {
    '1': {
      review: {
        address: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
        rating: 5,
        createdAt: 1795735871329,
        updatedAt: 1795735871329,
        comment: null,
        verified: false,
      },
    },
    '2': {
      review: {
        address: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
        rating: 4,
        createdAt: 1795735871329,
        updatedAt: 1795735872554,
        comment: { text: 'It works', images: [] },
        verified: true,
      },
    },
  },
  getAppsCatalog: {
    '1': {
      extension: {
        url: 'https://app.example.com',
        metadata: null,
        verified: false,
        reportsSummary: { scam: 1, spam: 0, bug: 0, offense: 0 },
        rating: 4,
        reviewsCount: 1,
      },
    },
  },
  submitAppReport: {
    '1': {
      report: {
        _id: '09130bb8106658f0793b5cf3742fc7fd',
        url: 'https://app.example.com',
        address: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
        type: 'scam',
        createdAt: 1795735873425,
        comment: { text: 'It asks for the seed', images: [] },
      },
    },
  },
};
