/**
 * Made on first use: creating one of the platform's formats takes a few milliseconds on a phone, and most screens need few of
 * them.
 */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
