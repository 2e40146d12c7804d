import type { ErrorCode } from './errors';

/** What each problem code means to a caller, and what to do about it: the page that the `type` of a problem leads to. */
export const ERROR_EXPLANATIONS: Readonly<Record<ErrorCode, string>> = {
  // The request
  invalid_request:
    'A parameter, header or member of the body is missing or has a value that is not allowed. The member errors names each field at fault, with a JSON pointer and a message.',
  invalid_json:
    'The body is not JSON in UTF-8, or has a member twice in one object, which programs read in different ways.',
  unknown_action: 'The member action of the body names none of the actions of this endpoint.',
  body_too_large: 'The body is larger than this endpoint accepts. Send fewer rows in each call.',
  uri_too_long: 'The path and query together are longer than this endpoint accepts.',
  headers_too_large: 'The request headers together are larger than the program accepts.',
  unsupported_media_type:
    'The media type, encoding or character set of the body is not supported. Send application/json in UTF-8.',
  upgrade_required: 'This path is a WebSocket. Connect with a WebSocket client instead of a plain request.',
  not_found: 'There is nothing at this path. The page /docs lists every path.',
  method_not_allowed: 'The path exists, with other methods, which the header Allow lists.',

  // The caller
  unauthenticated:
    'The call needs a token in the header Authorization, as "Bearer" and the token, and none was sent or it is not valid: expired, of an unknown issuer, or signed with an unknown key. The command tidemark token issues one where the program is its own issuer.',
  secure_session_required:
    'The action needs a recent strong authentication, such as a second factor. Authenticate again and repeat the call.',
  insufficient_role:
    'The token is valid, and its role may not do this. The operation names the lowest role that may.',
  wrong_instance: 'The token was issued for another instance than the one that was called.',
  rate_limited:
    'The quota of this caller or address is used up for now. The headers RateLimit and RateLimit-Policy have the quota, and Retry-After says when to try again.',
  too_many_connections:
    'This caller has as many open streams and WebSockets as one caller may have. Close some, or wait.',
  idempotency_in_flight:
    'An earlier request with the same Idempotency-Key is still being carried out. Repeat the request to get its response.',
  idempotency_key_reused:
    'The Idempotency-Key was used before with another request. A key belongs to one request; use a new one.',

  // Signed calls
  signature_required: 'What was written with a signature before can only be read and written with one.',
  signature_invalid: 'The signature is not one of this key over this request. Nothing was changed.',
  signature_expired:
    'The time in the signed request is too far from the time of the server. Sign the request again; check the clock of the device.',
  signature_reused:
    'The same signature has already been used for another request. Sign each request separately.',
  wallet_key_unknown:
    'The public key of the wallet cannot be determined: the contract at the address is not deployed and the address is not that of a wallet with the given key, or it is no wallet.',

  // The server
  version_conflict:
    'Somebody changed the same thing at the same moment. Nothing was changed by this call; repeat it.',
  append_too_large: 'The change is too large to be recorded at once. Nothing was changed; send it in parts.',
  internal:
    'Something in the program failed that should not. Nothing is known about the outcome; the log has the cause under the requestId.',
  engine_unavailable:
    'A storage engine does not answer at the moment, or its disk is full. Nothing was changed, unless detail says that the outcome is unknown.',
  engine_access_denied:
    'A storage engine denies access to the program. An operator has to correct the user or its rights.',
  event_store_behind:
    'The event store holds less than what was read from it before: data was lost, or an older backup was restored. Nothing can be changed until an operator restores it or accepts the loss.',
  log_behind:
    'The log holds less than what was read from it before. Nothing can be changed until an operator restores it or accepts the loss.',
  stored_data_damaged:
    'Something stored that this needs is damaged, and detail says where. Everything else is served. An operator has to rebuild or restore it.',
  not_ready:
    'What was asked for is not known completely yet: it is being read, or a projection has not caught up. The same request succeeds later.',
  watch_limit_reached:
    'As many accounts are followed as may be. Accounts that are followed already are served; others have to wait.',
  connections_exhausted: 'The program has as many open streams and WebSockets as it may have.',
  upstream_refused: 'A server that had to be asked refused the request, for the reason in detail.',
  upstream_unavailable: 'A server that had to be asked did not answer.',

  // TON Connect
  mailbox_full:
    'As many messages are waiting for the recipient as may wait. They expire, or are received when the recipient connects.',

  // Chains
  network_mismatch:
    'The address is marked as one of the test network, and the request names the main network.',
  source_wrong_network:
    'Every server that is configured for this network currently serves another one, so none is used. An operator has to correct the settings.',
  transaction_not_found: 'No transaction with this hash or logical time is known.',
  message_refused: 'The network did not accept the message, for the reason in detail.',
  jetton_wallet_not_found: 'No jetton wallet that its master confirms is at this address.',
  election_not_found: 'No election with this id is known.',
  invalid_transaction: 'The bytes are not a transaction that can be read.',

  // Connections
  connect_key_invalid: 'The key of the session is not a valid public key.',
  connect_key_used: 'The key is already used by another session.',
  connect_session_not_found: 'There is no such session, or it has expired.',
  connect_session_invalid: 'The session has been revoked or has expired, and cannot be used any longer.',
  connect_network_mismatch: 'The session was opened for the other network.',
  connect_already_completed: 'A wallet has already answered this session.',

  // Wallet requests
  wallet_request_not_found: 'There is no request with this id.',
  wallet_request_wrong_wallet: 'The request asks another wallet; only that wallet may answer.',
  wallet_request_answered: 'The request has already been confirmed or declined.',
  wallet_request_expired: 'The request has expired. A new one has to be created.',
  too_many_wallet_requests: 'As many requests to or from this wallet are pending as may be.',

  // Exchange
  exchange_limit:
    'The amount is below the minimum or above the maximum of the exchange. The response names both.',
  exchange_refused: 'The exchange partner refused the request, for the reason in detail.',
  exchange_unavailable: 'The exchange partner does not answer at the moment.',
  exchange_not_configured: 'This installation has no exchange partner.',
  exchange_key_reused: 'The idempotencyKey belongs to another order of this wallet. Use a new one.',
  exchange_order_not_found: 'There is no order with this id.',
  exchange_order_not_resolvable: 'The order is in a state that its user cannot close.',
  exchange_order_not_finished: 'The order has not ended yet.',
  exchange_order_abandoned:
    'The partner never confirmed the order, so it was given up. Create another one; do not pay for this one.',
  exchange_order_pending: 'The order is being placed with the partner. Repeat the request to get it.',
  too_many_exchange_orders: 'The wallet has as many open orders as it may have.',

  // Configuration of the application
  app_config_not_found: 'There is no such version of the configuration.',
  banner_not_found: 'There is no banner with this id.',
  app_image_not_found:
    'The application has no such image, or it changed. Read the metadata again for the current URL.',
  token_image_not_found:
    'The token contains no such image, or it changed. Read the metadata again for the current URL.',
  app_review_not_found: 'There is no review by this wallet.',
  app_report_not_found: 'There is no report with this id.',

  // Notifications
  push_device_not_found: 'There is no device with this id.',

  // Billing
  fee_not_found: 'No fee with this id has been recorded.',
  fee_exists: 'A fee with this id has already been recorded, with other content. Nothing was changed.',
  fee_not_pending: 'Only a pending fee can be collected or waived.',
  fee_not_collected: 'Only a collected fee can be reversed.',
  merchant_not_found: 'No fee, and no command, has named a merchant with this id.',
  merchant_slug_taken: 'The slug belongs to another merchant.',
  too_many_unmatched_payments: 'As many payments for an unknown fee have been recorded as may be.',
  invoice_not_found: 'There is no invoice with this id, or there was none at the requested moment.',
  invoice_period_exists:
    'The billing period has an invoice already, whose id is invoiceId. Void it before generating another one.',
  invoice_not_draft: 'Only a draft can be finalized.',
  invoice_already_void: 'The invoice is void already.',
  invoice_finalizing: 'The invoice is being finalized by another call. Read it again in a moment.',
  no_collected_fees: 'No fee of the billing period has been collected, so there is nothing to invoice.',
  settlement_not_found: 'There is no settlement with this id, or there was none at the requested moment.',
  settlement_exists: 'The merchant has a settlement for this billing period already.',
  settlement_not_pending: 'Only a pending settlement can be paid or voided.',
  settlement_already_paid: 'The settlement has been paid already.',
  settlement_already_void: 'The settlement is void already.',
  settlement_has_dependents: 'A later settlement carries the amount of this one. Void the later one first.',
  nothing_to_settle: 'Nothing is owed to a merchant for this billing period.',
  ledger_damaged: 'A document of the billing ledger is damaged. An operator has to rebuild the projection.',
};
