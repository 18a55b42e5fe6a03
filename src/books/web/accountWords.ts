/** `CAMPAIGN_ESCROW` → "Campaign escrow". */
export const accountName = (kind: string): string => {
  const words = kind.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
