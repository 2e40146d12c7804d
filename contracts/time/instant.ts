/** The form of an instant, RFC 3339 in UTC with milliseconds; whether its day exists, `isDay` says. */
export const INSTANT_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
