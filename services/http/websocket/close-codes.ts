/* Close codes of WebSockets (RFC 6455, section 7.4.1). */
export const NORMAL = 1000;
export const GOING_AWAY = 1001;
export const INVALID_DATA = 1007;
export const POLICY_VIOLATION = 1008;
export const INTERNAL_ERROR = 1011;
/** Registered at IANA. */
export const TRY_AGAIN_LATER = 1013;
