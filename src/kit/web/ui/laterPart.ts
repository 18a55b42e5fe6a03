import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { lazyParts } from './lazyParts.ts'

/**
 * A component with a file of its own, loaded when it is first shown; `placeholder` stands in its place until then. Without
 * Suspense, which shows what it has shown once for 300 ms at least: on a quick line that is most of the wait.
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

/** One that begins to load with the module that shows it. */
export const startedPart: typeof laterPart = (load, placeholder) => {
  const part = laterPart(load, placeholder)
  part.preload()
  return part
}
