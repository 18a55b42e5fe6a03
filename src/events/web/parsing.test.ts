import { expect, test } from 'vitest'
import { streamParser } from './parsing.ts'

const text = ': still here\n\nid: 7-1\nevent: change\ndata: {"topic":"MONEY"}\n\nid: 8-0\nevent: ready\ndata: {}\n\n'
const events = [
  { id: '7-1', name: 'change', data: '{"topic":"MONEY"}' },
  { id: '8-0', name: 'ready', data: '{}' },
]

test('events are parsed whole wherever their text was cut', () => {
  for (let size = 1; size <= text.length; size++) {
    const parse = streamParser()
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
    expect(pieces.flatMap(parse)).toEqual(events)
  }
})
