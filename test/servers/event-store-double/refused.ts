import { Metadata, type ServiceError, type status } from '@grpc/grpc-js';

/** A call that ends with a status; the trailers tell the client which of its errors is meant. */
export class Refused extends Error implements Partial<ServiceError> {
  readonly details: string;
  readonly metadata: Metadata;
  constructor(
    readonly code: status,
    exception: string,
    trailers: Readonly<Record<string, string>>,
  ) {
    super(exception);
    this.details = exception;
    this.metadata = new Metadata();
    for (const [name, value] of Object.entries({ exception, ...trailers })) this.metadata.set(name, value);
  }
}
