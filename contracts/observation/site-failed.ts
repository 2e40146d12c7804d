/** A server that anybody may have named could not be read. It is no failure of ours, and strangers cause it at will. */
export class SiteFailed extends Error {
  override readonly name = 'SiteFailed';
}
