/** A link that a browser may open: http or https, with a host. */
export const isWebLink = (value: string): boolean => {
  try {
    const { protocol, hostname } = new URL(value)
    return (protocol === 'https:' || protocol === 'http:') && hostname !== ''
  } catch {
    return false
  }
}
