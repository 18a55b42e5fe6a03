/**
 * Whether money goes through the payment provider's own pages, and not through the payment method in the settings
 * (src/app/server/page.ts).
 */
export const paidAtProvider = (): boolean => document.documentElement.dataset.checkout === 'provider'
