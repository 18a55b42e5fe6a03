/** The payment provider's page. The server gives no other address; this is looked at once more before the browser leaves. */
const isLoopback = (hostname: string) => hostname === 'localhost' || hostname === '127.0.0.1'

/** Stripe's own, or on a developer's machine one of that machine. */
export const isCheckoutUrl = (address: string, here: string): boolean => {
  if (!URL.canParse(address)) return false
  const { origin, hostname, protocol } = new URL(address)
  if (origin === 'https://checkout.stripe.com') return true
  return isLoopback(here) && isLoopback(hostname) && protocol.startsWith('http')
}

/** Leaves for it. Throws where it is not what it should be. */
export const goToCheckout = (address: string): void => {
  if (!isCheckoutUrl(address, location.hostname)) throw new Error('This address is not the payment provider’s.')
  location.assign(address)
}
