interface SignedCreate {
  /** Addresses as they were sent. */
  readonly requestor: string;
  readonly confirmant: string;
  readonly message?: string | null | undefined;
  readonly expirationSeconds: number;
  readonly metadata?: unknown;
}

/** The text that a requestor signs, without its time: what comes before it and after it. */
export function createText(request: SignedCreate): (timestamp: number) => string {
  const { requestor, confirmant, message, expirationSeconds, metadata } = request;
  const json = metadata ? JSON.stringify(metadata) : '';
  return timestamp =>
    ['WALLET_REQUEST_CREATE', requestor, confirmant, message ?? '', expirationSeconds, timestamp, json].join(
      '|',
    );
}

interface SignedResponse {
  readonly requestId: string;
  /** As it was sent. */
  readonly walletAddress: string;
  readonly status: 'confirmed' | 'declined';
  readonly response?: string | null | undefined;
}

/** The text that a confirmant signs. */
export function respondText(signed: SignedResponse): (timestamp: number) => string {
  const { requestId, walletAddress, status, response } = signed;
  return timestamp =>
    ['WALLET_REQUEST_RESPOND', requestId, walletAddress, status, response ?? '', timestamp].join('|');
}
