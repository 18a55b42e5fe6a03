/** 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(16).padStart(8, '0')).join('')
