import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getHealthLive: { '1': { status: 'live' } },
  getHealthReady: {
    '1': {
      status: 'ready',
      checks: {
        event_store: 'ok',
        log: 'ok',
        documents: 'ok',
        jobs: 'ok',
        ton_mainnet_sources: 'ok',
        ton_testnet_sources: 'ok',
        solana_mainnet_sources: 'ok',
        solana_devnet_sources: 'ok',
        lost_data: 'ok',
        projections: 'ok',
        ledger_tree: 'ok',
        unread_events: 'ok',
        observation_jobs: 'ok',
        watch_jobs: 'ok',
        ton_jobs: 'ok',
        elections_jobs: 'ok',
        rates_jobs: 'ok',
        solana_jobs: 'ok',
        wallet_requests_jobs: 'ok',
        exchange_placing_jobs: 'ok',
        exchange_jobs: 'ok',
        push_jobs: 'ok',
        client_errors_jobs: 'ok',
        billing_jobs: 'ok',
        indexer_ton_mainnet: 'ok',
        indexer_ton_testnet: 'ok',
        indexer_solana_mainnet: 'ok',
        indexer_solana_devnet: 'ok',
        mailbox: 'ok',
        program: 'ok',
      },
    },
  },
};
