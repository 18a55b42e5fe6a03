/** For every test file with a jsdom document: adds what jsdom lacks, and empties the page after each test. */
import { ReadableStream, TextDecoderStream } from 'node:stream/web'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

Object.assign(globalThis, { ReadableStream, TextDecoderStream })
if (!('getEntriesByType' in performance)) Object.assign(performance, { getEntriesByType: () => [] })

/** Nothing has a size in jsdom. */
class SizelessObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= SizelessObserver

// On a busy machine a dialog may take longer than the usual second to appear.
configure({ asyncUtilTimeout: 10_000 })

afterEach(cleanup)
