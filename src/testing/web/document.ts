/** For each file of tests that have a document of jsdom: what that lacks, and an empty page after each test. */
import { ReadableStream, TextDecoderStream } from 'node:stream/web'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

Object.assign(globalThis, { ReadableStream, TextDecoderStream })
if (!('getEntriesByType' in performance)) Object.assign(performance, { getEntriesByType: () => [] })

// On a busy machine a dialog may take longer than the usual second to appear.
configure({ asyncUtilTimeout: 10_000 })

afterEach(cleanup)
