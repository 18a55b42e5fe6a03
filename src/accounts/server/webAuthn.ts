/**
 * The passkey library takes megabytes, because it can parse certificates, so it is loaded only when the first passkey is used.
 */
export const webAuthn = () => import('@simplewebauthn/server')
