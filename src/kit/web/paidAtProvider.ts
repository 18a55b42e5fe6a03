/** Whether money goes through the payment provider’s own pages, and not by the payment method of the settings (src/app/server/page.ts). */
export const paidAtProvider = (): boolean => document.documentElement.dataset.checkout === 'provider'
