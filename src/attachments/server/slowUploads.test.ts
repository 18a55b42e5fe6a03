/** A stalled upload is aborted with a sentence; one that makes progress is accepted. */
import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import type { Attachment } from '../contract.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { film } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { formOf, formType } from '../../testing/uploads.ts'

const t = testApp()
const tester = signedUp(t, 'TESTER')
afterEach(() => {
  vi.useRealTimers()
})

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Sends the first half, and returns the rest once the server is watching the pace. */
const half = async () => {
  const form = formOf([{ bytes: film({ samples: 20_000 }) }])
  const body = new PassThrough()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const reply = t.app.inject({
    method: 'POST',
    url: '/api/v1/attachments',
    headers: { authorization: `Bearer ${tester.accessToken}`, 'content-type': formType },
    payload: body,
  })
  body.write(form.subarray(0, 10_000))
  while (vi.getTimerCount() === 0) await turn()
  return { reply, rest: () => body.end(form.subarray(10_000)), giveUp: () => body.end() }
}

test('that stalls after 10 kB is refused, and leaves no row', async () => {
  const { reply, giveUp } = await half()
  vi.advanceTimersByTime(17_000)
  const { statusCode, json } = await reply
  giveUp()
  expect([statusCode, json<ErrorBody>().code]).toEqual([408, 'REQUEST_TIMEOUT'])
  expect(await t.look('select id from attachments')).toEqual([])
})

test('that pauses for 14 seconds is accepted', async () => {
  const { reply, rest } = await half()
  vi.advanceTimersByTime(14_000)
  rest()
  const { statusCode, json } = await reply
  expect([statusCode, json<Attachment>().type]).toEqual([201, 'video/mp4'])
})
