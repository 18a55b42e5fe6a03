/** The payment provider's page. The server sends no other address; this checks it once more before the browser leaves. */
const isLoopback = (hostname: string) => hostname === 'localhost' || hostname === '127.0.0.1'

/** Stripe's page, or on a developer's machine a local one. */
export const isCheckoutUrl = (address: string, here: string): boolean => {
  if (!URL.canParse(address)) return false
  const { origin, hostname, protocol } = new URL(address)
  if (origin === 'https://checkout.stripe.com') return true
  return isLoopback(here) && isLoopback(hostname) && protocol.startsWith('http')
}

/** Leaves for that page. Throws if the address is not allowed. */
export const goToCheckout = (address: string): void => {
  if (!isCheckoutUrl(address, location.hostname)) throw new Error('This address is not the payment provider’s.')
  location.assign(address)
}
