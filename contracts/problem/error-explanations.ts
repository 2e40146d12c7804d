import type { ErrorCode } from './errors';

/** What each problem code means to a caller, and what to do about it: the page that the `type` of a problem leads to. */
export const ERROR_EXPLANATIONS: Readonly<Record<ErrorCode, string>> = {
  // The request
  invalid_request:
    'A parameter, header or member of the body is missing or has a value that is not allowed. The member errors names each invalid field with a JSON pointer and a message.',
  invalid_json:
    'The body is not JSON in UTF-8, or an object in it has a member twice, which parsers interpret differently.',
  unknown_action: 'The member action of the body is not one of the actions of this endpoint.',
  body_too_large: 'The body is larger than this endpoint accepts. Send fewer rows in each call.',
  uri_too_long: 'The path and query together are longer than this endpoint accepts.',
  headers_too_large: 'The request headers together are larger than the program accepts.',
  unsupported_media_type:
    'The media type, encoding or character set of the body is not supported. Send application/json in UTF-8.',
  upgrade_required: 'This path is a WebSocket. Connect with a WebSocket client instead of a plain request.',
  not_found: 'There is nothing at this path. The page /docs lists every path.',
  method_not_allowed:
    'The path exists but does not accept this method. The header Allow lists the methods that it accepts.',

  // The caller
  unauthenticated:
    'The call needs a token in the header Authorization, as "Bearer" and the token, and none was sent, or it is not valid: expired, from an unknown issuer, or signed with an unknown key. Where the program is its own issuer, the command tidemark token issues one.',
  secure_session_required:
    'The action needs a recent strong authentication, such as a second factor. Authenticate again and repeat the call.',
  insufficient_role:
    'The token is valid, but its role may not do this. The operation names the lowest role that may.',
  wrong_instance: 'The token was issued for a different instance from the one that was called.',
  rate_limited:
    'The quota of this caller or address is used up for now. The headers RateLimit and RateLimit-Policy have the quota, and Retry-After says when to try again.',
  too_many_connections:
    'This caller has reached its limit of open streams and WebSockets. Close some, or wait.',
  idempotency_in_flight:
    'An earlier request with the same Idempotency-Key is still in progress. Repeat the request to get its response.',
  idempotency_key_reused:
    'The Idempotency-Key was already used for another request. A key belongs to one request; use a new one.',

  // Signed calls
  signature_required:
    'Once something has been written with a signature, it can only be read and written with one. So can a review of an application once others have written theirs in the name of the wallet.',
  signature_invalid: 'The signature was not made by this key over this request. Nothing was changed.',
  signature_expired:
    'The time in the signed request is too far from the time of the server. Check the clock of the device and sign the request again.',
  signature_reused:
    'The same signature has already been used for another request. Sign each request separately.',
  wallet_key_unknown:
    'The public key of the wallet cannot be determined: the contract at the address is not deployed, or its network is not served here, and the address is not that of a wallet with the given key; or the contract is not a wallet.',

  // The server
  version_conflict:
    'Other calls changed the same thing at the same time, and this one was not completed. Repeat it.',
  too_many_storage_keys:
    'No further key is stored for callers of this network today, or at all: one may have a quarter of what others leave in a day. Keys that exist are read and written as before.',
  too_many_storage_bytes:
    'No larger value is stored for callers of this network today, or at all: one may add a quarter of what others leave in a day. A value that is as large as the one that is stored, or smaller, is written as before.',
  append_too_large:
    'The change is too large to be recorded at once. Nothing was changed; split it into several calls.',
  internal:
    'The program failed unexpectedly, and the outcome of the call is unknown. The log has the cause under the requestId.',
  engine_unavailable:
    'A storage engine does not answer at the moment, or its disk is full. Nothing was changed, unless detail says that the outcome is unknown.',
  engine_access_denied:
    'A storage engine denies access to the program. An operator has to correct the user or its permissions.',
  event_store_behind:
    'The event store holds less than what was read from it before: data was lost, or an older backup was restored. Nothing can be changed until an operator restores it or accepts the loss.',
  log_behind:
    'The log holds less than what was read from it before. Nothing can be changed until an operator restores it or accepts the loss.',
  stored_data_damaged:
    'Stored data that this request needs is damaged; detail says where. Everything else is served. An operator has to rebuild or restore the data.',
  not_ready:
    'The answer is not complete yet: data is still being read, or a projection has not caught up. The same request succeeds later.',
  watch_limit_reached:
    "The limit of watched accounts, or the share of the caller's address, is reached. Accounts that are already watched are served; others have to wait.",
  connections_exhausted: 'The program has reached its limit of open streams and WebSockets.',
  bodies_exhausted:
    'The bodies that this caller is sending, or those of all callers, take as much memory as they may until they are complete. Send fewer at a time.',
  upstream_refused: 'An upstream server refused the request, for the reason in detail.',
  upstream_unavailable:
    'An upstream server did not answer, or too many calls of the same caller wait for it.',

  // TON Connect
  mailbox_full:
    'Too many messages wait for the recipient, or for all recipients, or your address has its share of them. They are delivered when the recipient connects, and expire.',

  // Chains
  network_mismatch: 'The address is marked as test-only, but the request names the main network.',
  network_off:
    'This instance does not serve the network that the request needs: its operator has switched it off. Repeating the request does not help. Use another network, or an instance that serves this one.',
  source_wrong_network:
    'Every server that is configured for this network is currently on another network, so none is used. An operator has to correct the settings.',
  transaction_not_found: 'No transaction with this hash or logical time is known.',
  message_refused: 'The network did not accept the message, for the reason in detail.',
  jetton_wallet_not_found: 'There is no jetton wallet at this address that its master confirms.',
  election_not_found: 'No election with this id is known.',
  invalid_transaction: 'The bytes cannot be decoded as a transaction.',

  // Connections
  connect_key_invalid: 'The key of the session is not a valid public key.',
  connect_key_used: 'The key is already used by another session.',
  connect_session_not_found: 'There is no such session, or it has expired.',
  connect_session_invalid: 'The session has been revoked or has expired and can no longer be used.',
  connect_network_mismatch: 'The session was opened for the other network.',
  connect_already_completed: 'A wallet has already answered this session.',
  too_many_connect_sessions:
    'No further session is stored for callers of this network today: one may have a quarter of what others leave. Sessions that exist are used as before. Try again after Retry-After seconds.',

  // Wallet requests
  wallet_request_not_found: 'There is no request with this id.',
  wallet_request_wrong_wallet: 'The request asks another wallet; only that wallet may answer.',
  wallet_request_answered: 'The request has already been confirmed or declined.',
  wallet_request_expired: 'The request has expired. A new one has to be created.',
  too_many_wallet_requests: 'The limit of pending requests to or from this wallet is reached.',

  // Exchange
  exchange_limit:
    'The amount is below the minimum or above the maximum of the exchange. The response names both.',
  exchange_refused: 'The exchange partner refused the request, for the reason in detail.',
  exchange_unavailable: 'The exchange partner does not answer at the moment.',
  exchange_not_configured: 'This installation has no exchange partner.',
  exchange_key_reused:
    'The caller has used the idempotencyKey for another order of this wallet. Use a new one.',
  exchange_order_not_found: 'There is no order with this id.',
  exchange_order_not_resolvable: 'In its current state the order cannot be closed by its user.',
  exchange_order_not_finished: 'The order has not ended yet.',
  exchange_order_abandoned:
    'The partner never confirmed the order, so it was given up. Create another one; do not pay for this one.',
  gasless_in_flight: 'Wait until the first request was carried out or has expired.',
  gasless_cooldown: 'Wallets have refused requests that were relayed for this caller. Wait, or pay with TON.',
  gasless_off: 'This instance relays no gasless transfers on the network. Pay with TON.',
  gasless_refused:
    'The relayer does not take this transfer. The member error_code has the reason as clients of TonAPI know it: 40012 is too few jettons, 40003 another transfer in flight or a cooldown, 40001 anything else, which may be gone later.',
  gasless_jetton_listed:
    'The jetton pays for gasless transfers already. Pause, resume or price it; remove it to list its present code.',
  gasless_jetton_not_listed:
    'The jetton does not pay for gasless transfers here: `tidemark gasless tokens` lists those that do.',
  gasless_jetton_unknown: 'There is no jetton master at the address on this network. Compare both.',
  gasless_jetton_decimals:
    'The jetton says other decimals than were given, or none that can be read. Give those that it says, or those that you know.',
  gasless_budget_exhausted: 'The relayer has sent as much as it may for now. Try again later.',
  exchange_order_pending: 'The order is being placed with the partner. Repeat the request to get it.',
  too_many_exchange_orders:
    'Too many orders were made from this address today, for this wallet or in total, that nobody has paid.',

  // Cards
  card_account_not_found: 'There is no account with this id, or it belongs to somebody else.',
  card_account_state:
    'An account in this state does not allow it: an account that is closed stays closed, for example.',
  card_account_not_empty:
    'An account is closed when its balance is zero and nothing is held: wait until its purchases are cleared, and spend the rest.',
  card_limits_invalid:
    'The limit of one purchase is at most that of a day, and that at most that of a month.',
  card_funds_insufficient: 'The account has less than is to be paid. Top it up, and repeat the request.',
  card_not_found: 'There is no card with this id, or it belongs to somebody else.',
  card_state:
    'A card in this state does not allow it: a card that is blocked or closed stays so, for example.',
  card_vesting_invalid: 'Its payments would start more than ten years from now.',
  too_many_card_vestings:
    'The card holder has created as many vesting accounts as it may, the account has taken as many deposits, or the beneficiary is paid by as many accounts of others.',
  too_many_cards: 'The account has as many open cards as one may have. Close one first.',

  // Card holders
  card_webhook_refused:
    'No signature of the webhook is by a secret of the issuer, or its timestamp is more than five minutes off. Sign each attempt with a new timestamp.',
  card_provisioning_refused:
    'The issuer does not add the card to this wallet: what the wallet has sent is not right, or the card cannot be added.',
  card_issuer_unavailable:
    'The issuer of the card does not answer, or is overloaded. Repeat the request later.',
  card_off:
    'The instance has no card service on this network: it has no issuer there, or not all of its networks are local ones.',
  card_token_invalid:
    'No card holder has this token on this network: it is unknown, has expired, or was revoked. Enrol the wallet again.',
  card_user_not_found: 'There is no card holder with this id.',
  card_user_suspended:
    'The card service has suspended the card holder: until it resumes, nothing can be changed.',
  card_step_missing: 'Something has to be done before this: the state of the card holder says what is next.',
  card_step_done: 'The phone number or e-mail address is confirmed, and cannot be changed.',
  card_code_expired:
    'No code waits to be confirmed: none was asked for, another one was later, it has expired, or it was guessed wrong too often. Ask for another one.',
  card_code_wrong: 'The code is not the one that was sent. It stays valid for a few attempts.',
  too_many_card_codes: 'The card holder has asked for as many codes as is possible within a day.',
  too_many_card_users:
    'No further card holder can enrol from this network today, or at all: one network may bring a quarter of what others leave in a day. Card holders enrol again as before.',
  too_many_card_tokens:
    'No further token is issued for this network today, or at all: one network may have a quarter of what others leave in a day. Tokens that exist stay valid.',

  // Configuration of the application
  app_config_not_found: 'There is no such version of the configuration.',
  banner_not_found: 'There is no banner with this id.',
  app_image_not_found:
    'The application has no such image, or the image has changed. Read the metadata again for the current URL.',
  token_image_not_found:
    'The token has no such image, or the image has changed. Read the metadata again for the current URL.',
  app_review_not_found: 'There is no review by this wallet.',
  app_report_not_found: 'There is no report with this id.',
  app_report_exists:
    'The same caller has reported the application for this wallet and type, with another comment. That report stays as it is; the new comment is not recorded.',
  app_report_dismissed:
    'Operators have dismissed the reports of this application for this wallet and type. No further one is recorded.',
  too_many_app_reports:
    'Others have reported the application in the name of this wallet for the same type, as many as are recorded. This report is not.',

  // Notifications
  push_device_not_found: 'There is no device with this id.',

  // Billing
  fee_not_found: 'No fee with this id has been recorded.',
  fee_exists: 'A fee with this id has already been recorded, with other content. Nothing was changed.',
  fee_not_pending: 'Only a pending fee can be collected or waived.',
  fee_not_collected: 'Only a collected fee can be reversed.',
  merchant_not_found:
    'No name is set for the merchant with this id, or there is no merchant with this id or slug. Names that came with a fee are those of that fee alone: send them with each fee, or set them with set_merchant.',
  merchant_slug_taken: 'The slug belongs to another merchant.',
  too_many_unmatched_payments: 'The limit of payments for one unknown fee is reached.',
  invoice_not_found: 'There is no invoice with this id, or there was none at the requested moment.',
  invoice_period_exists:
    'The billing period already has an invoice, whose id is in invoiceId. Void it before generating another one.',
  invoice_not_draft: 'Only a draft can be finalized.',
  invoice_already_void: 'The invoice is already void.',
  invoice_finalizing: 'The invoice is being finalized by another call. Read it again in a moment.',
  no_collected_fees: 'No fee of the billing period has been collected, so there is nothing to invoice.',
  settlement_not_found: 'There is no settlement with this id, or there was none at the requested moment.',
  settlement_exists: 'The merchant already has a settlement for this billing period.',
  settlement_not_pending: 'Only a pending settlement can be paid or voided.',
  settlement_already_paid: 'The settlement has already been paid.',
  settlement_already_void: 'The settlement is already void.',
  settlement_has_dependents:
    'A later settlement depends on the amount of this one. Void the later one first.',
  nothing_to_settle: 'Nothing is owed to a merchant for this billing period.',
  ledger_damaged: 'A document of the billing ledger is damaged. An operator has to rebuild the projection.',
};
