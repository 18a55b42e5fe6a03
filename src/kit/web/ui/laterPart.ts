import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { lazyParts } from './lazyParts.ts'

/**
 * A component in a file of its own, loaded when it is first shown; until then a `placeholder` is in its place. Without Suspense,
 * which keeps showing a fallback for at least 300 ms: on a fast connection that is most of the wait.
 */
export const laterPart = <Props extends object>(load: () => Promise<ComponentType<Props>>, placeholder: ReactNode) => {
  const part = lazyParts(async () => ({ Part: await load() }))
  const Later = (props: Props): ReactNode => {
    const [loaded, setLoaded] = useState(part.now)
    useEffect(() => {
      if (loaded) return
      part.load().then(setLoaded, (error: unknown) =>
        setLoaded(() => {
          throw error
        }),
      )
    }, [loaded])
    return loaded ? createElement(loaded.Part, props) : placeholder
  }
  /** For a screen that is likely to show it. */
  return Object.assign(Later, { preload: part.preload })
}

/** A `laterPart` that starts to load with the module that shows it. */
export const startedPart: typeof laterPart = (load, placeholder) => {
  const part = laterPart(load, placeholder)
  part.preload()
  return part
}
