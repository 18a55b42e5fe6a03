import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubIndexedDb } from '../../testing/indexedDb.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { stubXmlHttpRequest } from '../../testing/xmlHttpRequest.ts'
import type { Bug } from '../contract.ts'
import { CommentForm } from './CommentForm.tsx'
import { commentDraft } from './drafts.ts'

provideCalls(endpointTable)

const [first, second] = ['1', '2'].map(digit => `00000000-0000-4000-8000-00000000000${digit}`)
const bug = { id: 'b1' } as Bug
let network: ReturnType<typeof stubNetwork>
let uploads: ReturnType<typeof stubXmlHttpRequest>
let database: ReturnType<typeof stubIndexedDb>
/** Answers the request that is sending a comment. */
let arrive: () => void

beforeEach(() => {
  network = stubNetwork()
  uploads = stubXmlHttpRequest()
  database = stubIndexedDb()
  network.answer = () =>
    new Promise(resolve => {
      arrive = () => resolve(Response.json(bug))
    })
})
afterEach(() => {
  queryClient.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const after = (work: () => void = () => {}) =>
  act(async () => {
    work()
    await database.idle()
  })
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' })
const write = (text: string) => fireEvent.change(box(), { target: { value: text } })
const send = async () => {
  const before = network.sent.length
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send' })))
  await waitFor(() => expect(network.sent.length).toBe(before + 1))
  return network.sent.at(-1)!.body
}
const attach = async (name: string, id: string) => {
  await after(() =>
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File(['abc'], name, { type: 'image/png' })] },
    }),
  )
  await after(() =>
    uploads
      .at(-1)!
      .answer(201, { id, type: 'image/png', bytes: 3, width: 1, height: 1, createdAt: '2026-11-26T08:00:00Z' }),
  )
}
const rendered = async () => {
  render(<CommentForm bug={bug} />, { wrapper: Queries })
  await after()
}

test('text written while a comment is being sent stays, also as a draft', async () => {
  await rendered()
  write('Which keyboard?')
  await send()
  write('Which keyboard? And which language?')
  await after(() => arrive())
  await waitFor(() => expect(box().value).toBe('And which language?'))
  expect(commentDraft('b1').read()).toEqual({ text: 'And which language?' })
  await send()
  // The text only begins like the comment that was sent, so it has not been sent.
  write('And which language?s')
  await after(() => arrive())
  await waitFor(() => expect(commentDraft('b1').read()).toEqual({ text: 'And which language?s' }))
  await send()
  write('Another thought.')
  await after(() => arrive())
  await after()
  expect(box().value).toBe('Another thought.')
})

test('sending a comment leaves an empty form', async () => {
  await rendered()
  write(' Which keyboard? ')
  await send()
  await after(() => arrive())
  await waitFor(() => expect(box().value).toBe(''))
  expect(commentDraft('b1').read()).toBeNull()
})

test('a file added while a comment is being sent belongs to the next comment', async () => {
  await rendered()
  await attach('a.png', first!)
  expect(await send()).toMatchObject({ attachmentIds: [first] })
  await attach('b.png', second!)
  await after(() => arrive())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove a.png' })).toBeNull())
  expect(screen.getByRole('button', { name: 'Remove b.png' })).toBeTruthy()
  expect(await send()).toMatchObject({ attachmentIds: [second] })
})
