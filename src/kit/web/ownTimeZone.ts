/** The browser's; null where it knows no name for it: it then says an offset, "Etc/Unknown", or nothing. */
export const ownTimeZone = (): string | null => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return /^(?!Etc\/Unknown)[A-Z]/.test(timeZone) ? timeZone : null
}
