import { RpcError } from '../json-rpc-error';

// The codes and texts of Changelly: https://docs.changelly.com/faq and the pages of its methods.

export function parseError() {
  return new RpcError(-32700, 'Parse error');
}
export function invalidRequest() {
  return new RpcError(-32600, 'Invalid Request');
}
export function requestsLimit(limit: number) {
  return new RpcError(-32600, `Error: You reached requests limit ${limit} rps`);
}
export function methodNotFound() {
  return new RpcError(-32601, 'Method not found');
}
export function invalidParameter(name: string) {
  return new RpcError(-32602, `Parameter ${name} is invalid`);
}
export function invalidCurrency(reason: string) {
  return new RpcError(-32602, `Invalid currency: ${reason}`);
}
export function invalidAddress(kind: 'address' | 'refund address') {
  return new RpcError(-32602, `Error: Invalid ${kind}`);
}
export function rateExpired() {
  return new RpcError(
    -32602,
    'Error: rateId was expired or already used. Use method getFixRateForAmount to generate new rateId',
  );
}
export function noAddress() {
  return new RpcError(-32603, 'An error encountered during address generation. Please try again later.');
}
export function internalError() {
  return new RpcError(-32603, 'Internal Error');
}
