/** Slice → the slices below it whose data its answers contain. */
export type Follows = Readonly<Record<string, readonly string[]>>

/** These slices, and all that follow them, directly or through another slice. */
export const withFollowers = (changed: ReadonlySet<string>, follows: Follows): ReadonlySet<string> => {
  const more = Object.keys(follows).filter(
    slice => !changed.has(slice) && follows[slice]?.some(below => changed.has(below)),
  )
  return more.length === 0 ? changed : withFollowers(new Set([...changed, ...more]), follows)
}
