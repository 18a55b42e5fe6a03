import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { downloadBlob, downloadCsv, downloadJson, downloadText } from './download.ts'

let made: Blob[] = []
/** The browser's steps, in order. */
let steps: string[] = []

beforeEach(() => {
  made = []
  steps = []
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => `blob:https://fieldtest.test/${made.push(blob)}`,
    revokeObjectURL: (address: string) => void steps.push(`revoke ${address}`),
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    steps.push(`save ${this.href} as ${this.download}`)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Includes the byte order mark, which `text()` leaves out. */
const textOf = async (blob: Blob | undefined) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    await new Promise<ArrayBuffer>(resolve => {
      const reader = new FileReader()
      reader.addEventListener('load', () => resolve(reader.result as ArrayBuffer))
      reader.readAsArrayBuffer(blob!)
    }),
  )

test('a file is saved under its name, and its memory is freed once the browser has read it', () => {
  vi.useFakeTimers()
  const blob = new Blob(['abc'])
  downloadBlob('paper.pdf', blob)
  expect(made).toEqual([blob])
  expect(made[0]).toBe(blob)
  vi.advanceTimersByTime(10_000)
  expect(steps).toEqual(['save blob:https://fieldtest.test/1 as paper.pdf'])
  vi.runAllTimers()
  expect(steps.slice(1)).toEqual(['revoke blob:https://fieldtest.test/1'])
})

test.each([
  ['a text', () => downloadText('a', 'Größe'), 'text/plain;charset=utf-8', 'Größe'],
  ['a table, with the mark of UTF-8', () => downloadCsv('a', 'a,ä'), 'text/csv;charset=utf-8', '\uFEFFa,ä'],
  ['a table in parts', () => downloadCsv('a', ['a\n', 'b\n']), 'text/csv;charset=utf-8', '\uFEFFa\nb\n'],
  ['JSON, to be read by people', () => downloadJson('a', { b: [1] }), 'application/json', '{\n  "b": [\n    1\n  ]\n}'],
])('%s is saved with its type and content', async (_, save, type, text) => {
  save()
  expect([made[0]?.type, await textOf(made[0])]).toEqual([type, text])
  expect(steps[0]).toBe('save blob:https://fieldtest.test/1 as a')
})
