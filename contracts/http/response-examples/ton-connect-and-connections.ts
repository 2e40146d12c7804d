import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  connectInit: { '1': { ok: true } },
  connectAnswer: { '1': { ok: true } },
  connectGrant: { '1': { ok: true } },
  connectRevoke: { '1': { ok: true } },
  connectCommand: { '1': { ok: true } },
  getConnectSession: {
    '1': {
      state: 'ready',
      status: 'granted',
      name: 'An app',
      url: 'https://app.example',
      testnet: false,
      created: 1795735876668,
      updated: 1795735877608,
      revoked: false,
      wallet: {
        address: 'EQAfOEHwTpozSfZP4WJsbwRbVNbC2DnT4AAVGDMdbCAzUn--',
        endpoint: 'https://app.example',
        walletConfig:
          'wc=0,pk=fd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618,walletId=698983191',
        walletType: 'org.ton.wallets.v4',
        walletSig: 'SID9NrUMQK1dVB8P9ruJqD4VQxeexJ6yuFKD3rYpEw4EEuL6G0X+utan1P5pgmVB+ZRji4EFFfx44nrd3Ze0BQ==',
        appPublicKey: 'E5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8o=',
      },
    },
  },
  waitForConnectSession: {
    '1': {
      state: 'ready',
      status: 'granted',
      name: 'An app',
      url: 'https://app.example',
      testnet: false,
      created: 1795735876668,
      updated: 1795735877608,
      revoked: false,
      wallet: {
        address: 'EQAfOEHwTpozSfZP4WJsbwRbVNbC2DnT4AAVGDMdbCAzUn--',
        endpoint: 'https://app.example',
        walletConfig:
          'wc=0,pk=fd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618,walletId=698983191',
        walletType: 'org.ton.wallets.v4',
        walletSig: 'SID9NrUMQK1dVB8P9ruJqD4VQxeexJ6yuFKD3rYpEw4EEuL6G0X+utan1P5pgmVB+ZRji4EFFfx44nrd3Ze0BQ==',
        appPublicKey: 'E5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8o=',
      },
    },
  },
  getConnectCommand: {
    '1': {
      state: 'submitted',
      job: 'te6cckEBBAEAtwABwAna9MpBsj5hTvF0/b6CBd057FTey1RqR3ccJHrJxs6dm96tpHgGECShl5HmrwpPVRdyVeRkduR/ZBmVKtjpkwbqSmxj4pxSCr71UHsTLsX5lUd2rr6+e5JCHuppFEbSLAEBSROY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK9IZXAAgCAU2AA+cIPgnTRmk+yfwsTY3gi2qa2FsHOnwAAqMGY62EBmpIdzWUAEADAAD+eJVJ',
      created: 1795735878356,
      updated: 1795735878356,
      now: 1795735879259,
    },
  },
};
