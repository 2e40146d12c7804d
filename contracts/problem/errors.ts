interface ErrorDefinition {
  /** HTTP status. */
  readonly status:
    400 | 401 | 403 | 404 | 405 | 409 | 413 | 414 | 415 | 422 | 426 | 429 | 431 | 500 | 502 | 503;
  /** `title` of the problem document: the same for every occurrence. */
  readonly title: string;
  /** Each response with it has `Retry-After`: the same request may succeed then. */
  readonly retryAfter?: true;
}

/** Every problem code, once. A code is `thing_reason` and stable: programs depend on it. */
export const ERRORS = {
  // The request
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_json: { status: 400, title: 'Body is not valid JSON' },
  unknown_action: { status: 400, title: 'Unknown action' },
  body_too_large: { status: 413, title: 'Body too large' },
  uri_too_long: { status: 414, title: 'Path and query too long' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  upgrade_required: { status: 426, title: 'WebSocket upgrade required' },
  not_found: { status: 404, title: 'Path not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },

  // The caller
  unauthenticated: { status: 401, title: 'Authentication required' },
  secure_session_required: { status: 401, title: 'Secure session required' },
  insufficient_role: { status: 403, title: 'Insufficient role' },
  wrong_instance: { status: 403, title: 'Token of another instance' },
  rate_limited: { status: 429, title: 'Too many requests', retryAfter: true },
  too_many_connections: {
    status: 429,
    title: 'Too many open connections from this caller',
    retryAfter: true,
  },
  idempotency_in_flight: {
    status: 409,
    title: 'Request with this idempotency key is in progress',
    retryAfter: true,
  },
  idempotency_key_reused: { status: 422, title: 'Idempotency key already used for another request' },

  // Signed calls
  signature_required: { status: 403, title: 'Signature required' },
  signature_invalid: { status: 403, title: 'Signature invalid' },
  signature_expired: { status: 403, title: 'Signature expired' },
  signature_reused: { status: 409, title: 'Signature already used for another request' },
  wallet_key_unknown: { status: 422, title: 'Wallet key unknown' },

  // The server
  version_conflict: { status: 409, title: 'Concurrent change' },
  append_too_large: { status: 413, title: 'Change too large to record' },
  too_many_storage_keys: { status: 429, title: 'Too many keys in cloud storage' },
  too_many_storage_bytes: { status: 429, title: 'Too much in cloud storage' },
  internal: { status: 500, title: 'Internal error' },
  engine_unavailable: { status: 503, title: 'Storage engine unavailable', retryAfter: true },
  engine_access_denied: { status: 503, title: 'Storage engine denied access' },
  event_store_behind: { status: 503, title: 'Event store has lost data' },
  log_behind: { status: 503, title: 'Log has lost data' },
  stored_data_damaged: { status: 503, title: 'Stored data is damaged' },
  not_ready: { status: 503, title: 'Not ready yet', retryAfter: true },
  watch_limit_reached: { status: 503, title: 'Too many watched accounts', retryAfter: true },
  connections_exhausted: { status: 503, title: 'Too many open connections', retryAfter: true },
  bodies_exhausted: { status: 503, title: 'Too many incomplete request bodies', retryAfter: true },
  upstream_refused: { status: 502, title: 'Upstream server refused the request' },
  upstream_unavailable: { status: 502, title: 'Upstream server unavailable', retryAfter: true },

  // TON Connect
  mailbox_full: { status: 429, title: 'Too many messages waiting', retryAfter: true },

  // Chains
  network_mismatch: { status: 400, title: 'Address of another network' },
  network_off: { status: 404, title: 'Network not served by this instance' },
  source_wrong_network: { status: 503, title: 'Source is on another network', retryAfter: true },
  transaction_not_found: { status: 404, title: 'Transaction not found' },
  message_refused: { status: 422, title: 'Message refused by the network' },
  jetton_wallet_not_found: { status: 404, title: 'Jetton wallet not found' },
  election_not_found: { status: 404, title: 'Election not found' },
  invalid_transaction: { status: 400, title: 'Invalid transaction' },

  // Connections
  connect_key_invalid: { status: 400, title: 'Invalid key' },
  connect_key_used: { status: 409, title: 'Key belongs to another session' },
  connect_session_not_found: { status: 404, title: 'Session not found' },
  connect_session_invalid: { status: 409, title: 'Invalid session' },
  connect_network_mismatch: { status: 409, title: 'Invalid testnet flag' },
  connect_already_completed: { status: 409, title: 'Already completed' },
  too_many_connect_sessions: { status: 429, title: 'Too many connection sessions' },

  // Wallet requests
  wallet_request_not_found: { status: 404, title: 'Wallet request not found' },
  wallet_request_wrong_wallet: { status: 403, title: 'Wallet request addressed to another wallet' },
  wallet_request_answered: { status: 409, title: 'Wallet request already answered' },
  wallet_request_expired: { status: 409, title: 'Wallet request expired' },
  too_many_wallet_requests: { status: 429, title: 'Too many pending wallet requests' },

  // Exchange
  exchange_limit: { status: 400, title: 'Amount outside the limits of the exchange' },
  exchange_refused: { status: 422, title: 'Refused by the exchange partner' },
  exchange_unavailable: { status: 503, title: 'Exchange partner unavailable', retryAfter: true },
  exchange_not_configured: { status: 503, title: 'No exchange partner configured' },
  exchange_key_reused: { status: 409, title: 'Idempotency key belongs to another order' },
  exchange_order_not_found: { status: 404, title: 'Exchange order not found' },
  exchange_order_not_resolvable: { status: 409, title: 'Exchange order cannot be closed' },
  exchange_order_not_finished: { status: 409, title: 'Exchange order not finished' },
  exchange_order_abandoned: { status: 409, title: 'Exchange order abandoned' },
  exchange_order_pending: { status: 503, title: 'Exchange order is being placed', retryAfter: true },
  too_many_exchange_orders: { status: 429, title: 'Too many unpaid exchange orders' },

  // Gasless transfers
  gasless_in_flight: { status: 409, title: 'Another request is in flight' },
  gasless_cooldown: { status: 429, title: 'Too many refused requests' },
  gasless_off: { status: 404, title: 'No relayer of this network' },
  gasless_refused: { status: 400, title: 'Gasless transfer refused' },
  gasless_jetton_listed: { status: 409, title: 'Jetton already listed' },
  gasless_jetton_not_listed: { status: 404, title: 'Jetton not listed' },
  gasless_jetton_unknown: { status: 404, title: 'No jetton at this address' },
  gasless_jetton_decimals: { status: 409, title: 'Decimals of the jetton unknown or others' },
  gasless_budget_exhausted: { status: 503, title: 'Relayer budget used up', retryAfter: true },

  // Cards
  card_account_not_found: { status: 404, title: 'Account not found' },
  card_account_state: { status: 409, title: 'Not possible in this state of the account' },
  card_account_not_empty: { status: 409, title: 'Account not empty' },
  card_limits_invalid: { status: 400, title: 'Limits contradict each other' },
  card_funds_insufficient: { status: 409, title: 'Not enough on the account' },
  card_not_found: { status: 404, title: 'Card not found' },
  card_state: { status: 409, title: 'Not possible in this state of the card' },
  card_vesting_invalid: { status: 400, title: 'Terms of a vesting account not possible' },
  too_many_card_vestings: { status: 409, title: 'Too many vesting accounts or deposits' },
  too_many_cards: { status: 409, title: 'Too many cards' },

  // Card holders
  card_webhook_refused: { status: 401, title: 'Webhook not signed by the issuer' },
  card_provisioning_refused: { status: 422, title: 'Card not added by its issuer' },
  card_issuer_unavailable: { status: 503, title: 'Issuer of cards not available', retryAfter: true },
  card_off: { status: 404, title: 'No card service of this network' },
  card_token_invalid: { status: 401, title: 'Token unknown, expired or revoked' },
  card_user_not_found: { status: 404, title: 'Card holder not found' },
  card_user_suspended: { status: 403, title: 'Card holder suspended' },
  card_step_missing: { status: 409, title: 'An earlier step is missing' },
  card_step_done: { status: 409, title: 'Step already done' },
  card_code_expired: { status: 409, title: 'No code to confirm' },
  card_code_wrong: { status: 422, title: 'Wrong code' },
  too_many_card_codes: { status: 429, title: 'Too many codes' },
  too_many_card_users: { status: 429, title: 'Too many card holders' },
  too_many_card_tokens: { status: 429, title: 'Too many tokens of card holders' },

  // Configuration of the application
  app_config_not_found: { status: 404, title: 'Version not found' },
  banner_not_found: { status: 404, title: 'Banner not found' },
  token_image_not_found: { status: 404, title: 'Image not found' },
  app_image_not_found: { status: 404, title: 'Image not found' },
  app_review_not_found: { status: 404, title: 'Review not found' },
  app_report_not_found: { status: 404, title: 'Report not found' },
  app_report_exists: { status: 409, title: 'Application already reported' },
  app_report_dismissed: { status: 409, title: 'Report already dismissed' },
  too_many_app_reports: { status: 429, title: 'Too many reports in the name of a wallet' },

  // Notifications
  push_device_not_found: { status: 404, title: 'Device not found' },

  // Billing
  fee_not_found: { status: 404, title: 'Fee not found' },
  fee_exists: { status: 409, title: 'Fee already recorded' },
  fee_not_pending: { status: 409, title: 'Fee is not pending' },
  fee_not_collected: { status: 409, title: 'Fee is not collected' },
  merchant_not_found: { status: 422, title: 'Merchant not found' },
  merchant_slug_taken: { status: 409, title: 'Merchant slug already taken' },
  too_many_unmatched_payments: { status: 409, title: 'Too many payments for an unknown fee' },
  invoice_not_found: { status: 404, title: 'Invoice not found' },
  invoice_period_exists: { status: 409, title: 'Billing period already invoiced' },
  invoice_not_draft: { status: 409, title: 'Invoice is not a draft' },
  invoice_already_void: { status: 409, title: 'Invoice already void' },
  invoice_finalizing: { status: 409, title: 'Invoice is being finalized' },
  no_collected_fees: { status: 422, title: 'No collected fees' },
  settlement_not_found: { status: 404, title: 'Settlement not found' },
  settlement_exists: { status: 409, title: 'Settlement already exists' },
  settlement_not_pending: { status: 409, title: 'Settlement is not pending' },
  settlement_already_paid: { status: 409, title: 'Settlement already paid' },
  settlement_already_void: { status: 409, title: 'Settlement already void' },
  settlement_has_dependents: { status: 409, title: 'Settlement has dependents' },
  nothing_to_settle: { status: 422, title: 'Nothing to settle' },
  ledger_damaged: { status: 503, title: 'Stored document is damaged' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;
