/** What a day proves: minutes, features, a note, and a picture that shows the day's code; and a proof with files. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Attachment } from '../../attachments/contract.ts'
import { joinedBy, liveCampaign, type Person, proof as words } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { film, picture } from '../../testing/pictures.ts'
import { uploaded } from '../../testing/uploads.ts'
import { mostOptInPictures } from '../terms.ts'
import type { CampaignTester, ContestedOptIn, DayCode } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const otherDeveloper = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER', { timeZone: 'Pacific/Auckland' })
const other = signedUp(t, 'TESTER')

const joined = async (person: Person, terms: Record<string, unknown> = {}) => {
  const campaign = await liveCampaign(developer, admin, { durationDays: 1, ...terms })
  return { campaign, id: (await joinedBy(person, campaign.id)).id }
}
const checkIn = (person: Person, id: string, facts: object) =>
  person.call<CampaignTester & { code: string; fields: Record<string, string> }>(
    'POST',
    `/testers/campaign-testers/${id}/check-ins`,
    facts,
  )
const submit = (person: Person, id: string, given: object | string) =>
  person.call<CampaignTester & { code: string; fields: Record<string, string> }>(
    'POST',
    `/testers/campaign-testers/${id}/proof`,
    { proof: given },
  )
const statusOf = async (person: Person, path: string) => {
  await person.call('GET', '/users/me')
  const { accessToken } = person
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await t.app.inject({ method: 'GET', url: `/api/v1${path}`, headers })).statusCode
}
const seenBy = async (campaignId: string) =>
  (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body

describe('a check-in', () => {
  test('keeps what it says, and shows it to the tester and to the owner', async () => {
    const { campaign, id } = await joined(tester, { features: ['Search', 'Notes', 'Share'] })
    const image = await uploaded(t, tester, await picture())
    const { body: today } = await tester.call<DayCode>('GET', `/testers/campaign-testers/${id}/day-code`)
    const said = { minutes: 25, features: ['Share', 'Search'], note: 'One\nline', attachmentId: image.id }
    const { status, body } = await checkIn(tester, id, said)
    const kept = {
      day: today.day,
      minutes: 25,
      features: ['Search', 'Share'],
      note: 'One line',
      attachment: image,
      code: today.code,
    }
    expect([status, body.checkIns]).toMatchObject([201, [kept]])
    expect((await seenBy(campaign.id))[0]?.checkIns).toMatchObject([kept])
    expect(body.campaign.features).toEqual(['Search', 'Notes', 'Share'])
  })

  test('names its picture by either name, as one and the same request; two pictures are refused', async () => {
    const { id } = await joined(other)
    const [image, another] = [await uploaded(t, other, await picture()), await uploaded(t, other, await picture())]
    const both = await checkIn(other, id, { attachmentId: image.id, screenshot: another.id })
    expect(both).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', fields: { screenshot: /one picture/ } } })
    expect(await t.look('select from check_ins where participation_id = $1', [id])).toEqual([])
    const names = [
      { screenshot: image.id },
      { attachmentId: image.id },
      { attachmentId: image.id, screenshot: image.id },
    ]
    const path = `/testers/campaign-testers/${id}/check-ins`
    for (const said of names) {
      const { status, body } = await other.call<CampaignTester>('POST', path, { note: 'Fine', ...said }, 'one-day')
      expect([status, body.checkIns]).toMatchObject([201, [{ note: 'Fine', attachment: { id: image.id } }]])
    }
  })

  test('may say nothing but that the app was used', async () => {
    for (const body of [{}, null]) {
      const person = await t.signUp('TESTER')
      const { id } = await joined(person)
      const reply = await checkIn(person, id, body as object)
      expect(reply.body.checkIns).toMatchObject([{ minutes: null, features: [], note: null, attachment: null }])
    }
  })

  test.each<[string, object, string]>([
    ['less than no time', { minutes: -1 }, 'minutes'],
    ['more than a day', { minutes: 1441 }, 'minutes'],
    ['part of a minute', { minutes: 1.5 }, 'minutes'],
    ['a feature of no campaign', { features: ['Search', 'Other'] }, 'features'],
    ['too long a note', { note: 'x'.repeat(501) }, 'note'],
    ['no id', { attachmentId: 'x' }, 'attachmentId'],
  ])('with %s is refused at its field, and nothing is kept', async (_what, facts, field) => {
    const person = await t.signUp('TESTER')
    const { id } = await joined(person, { features: ['Search'] })
    const { status, body } = await checkIn(person, id, facts)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
    expect(await t.look('select from check_ins where participation_id = $1', [id])).toEqual([])
  })

  test('takes only a picture of the tester’s own that belongs to nothing else', async () => {
    const { id } = await joined(other)
    const foreign = await uploaded(t, tester, await picture())
    const own = await uploaded(t, other, await picture())
    const movie = await uploaded(t, other, film())
    expect(await checkIn(other, id, { attachmentId: foreign.id })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const nowhere = await checkIn(other, id, { attachmentId: '019e8a00-0000-7000-8000-000000000000' })
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'NOT_FOUND'])
    const { status, body } = await checkIn(other, id, { attachmentId: movie.id })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['attachmentId']])
    expect(await t.look('select from check_ins where participation_id = $1', [id])).toEqual([])
    expect((await checkIn(other, id, { attachmentId: own.id })).status).toBe(201)
    const second = await joined(other)
    expect(await checkIn(other, second.id, { attachmentId: own.id })).toMatchObject({
      status: 409,
      body: { code: 'WRONG_STATE' },
    })
    expect((await other.call('DELETE', `/attachments/${own.id}`)).status).toBe(409)
  })

  test('leaves the picture of another day where it is', async () => {
    const { id } = await joined(other, { durationDays: 2 })
    const days = await Promise.all(['red', 'blue'].map(color => picture({ color })))
    const shown: (string | undefined)[] = []
    for (const image of days) {
      const { id: attachmentId } = await uploaded(t, other, image)
      const { status, body } = await checkIn(other, id, { attachmentId })
      expect([status, body.checkIns.at(-1)?.attachment?.id]).toEqual([201, attachmentId])
      shown.push(attachmentId)
      expect(body.checkIns.map(({ attachment }) => attachment?.id)).toEqual(shown)
      await t.advance(24)
    }
  })

  test('takes no picture that has not arrived completely', async () => {
    const { id } = await joined(other)
    const image = await uploaded(t, other, await picture())
    await t.look('update attachments set stored_at = null where id = $1', [image.id])
    expect((await checkIn(other, id, { attachmentId: image.id })).status).toBe(404)
    expect(await t.look('select from attachments where participation_id = $1', [id])).toEqual([])
  })
})

describe('the code of the day', () => {
  test('is another for each tester and each day, in the tester’s zone', async () => {
    const codes = new Map<string, string>()
    const { id } = await joined(tester)
    const second = await joined(other)
    for (let day = 0; day < 3; day++) {
      for (const [person, testId] of [
        [tester, id],
        [other, second.id],
      ] as const) {
        const { status, body } = await person.call<DayCode>('GET', `/testers/campaign-testers/${testId}/day-code`)
        expect([status, body.code]).toEqual([200, expect.stringMatching(/^[ACDEFGHJKMNPRTUWXY34679]{6}$/)])
        codes.set(`${testId} ${body.day}`, body.code)
        const again = await person.call<DayCode>('GET', `/testers/campaign-testers/${testId}/day-code`)
        expect(again.body).toEqual(body)
      }
      await t.advance(24)
    }
    expect(new Set(codes.values()).size).toBe(6)
    expect((await other.call('GET', `/testers/campaign-testers/${id}/day-code`)).status).toBe(404)
  })
})

describe('a proof with files', () => {
  let files: Attachment[]
  let campaignId: string
  let id: string
  beforeAll(async () => {
    const made = await joined(tester, { durationDays: 1 })
    campaignId = made.campaign.id
    id = made.id
    await t.advance(24)
    files = [
      await uploaded(t, tester, await picture({ color: 'red' })),
      await uploaded(t, tester, film()),
      await uploaded(t, tester, await picture({ color: 'blue' })),
    ]
  })

  test('is refused with a foreign file, with one twice or with more than ten, and nothing hangs on it', async () => {
    const foreign = await uploaded(t, other, await picture())
    expect((await submit(tester, id, { text: words, attachmentIds: [files[0]!.id, foreign.id] })).status).toBe(404)
    for (const attachmentIds of [
      [files[0]!.id, files[0]!.id],
      Array.from({ length: 11 }, (_, n) => `019e8a00-0000-7000-8000-0000000000${10 + n}`),
      ['x'],
    ]) {
      expect(await submit(tester, id, { text: words, attachmentIds })).toMatchObject({ status: 400 })
    }
    expect(await t.look('select from attachments where participation_id = $1', [id])).toEqual([])
  })

  test('shows them in their order, to the owner and to admins and to nobody else', async () => {
    const attachmentIds = [files[2]!.id, files[1]!.id]
    const { status, body } = await submit(tester, id, { attachmentIds })
    expect([status, body.proof]).toMatchObject([200, { text: '', links: [], attachments: [files[2], files[1]] }])
    expect((await seenBy(campaignId))[0]?.proof?.attachments.map(file => file.id)).toEqual(attachmentIds)
    for (const path of [
      `/attachments/${files[2]!.id}`,
      `/attachments/${files[2]!.id}/preview`,
      `/attachments/${files[1]!.id}`,
    ]) {
      for (const person of [tester, developer, admin]) expect([path, await statusOf(person, path)]).toEqual([path, 200])
      for (const person of [other, otherDeveloper]) expect([path, await statusOf(person, path)]).toEqual([path, 404])
    }
    // Uploaded, and not part of the proof.
    expect(await statusOf(developer, `/attachments/${files[0]!.id}`)).toBe(404)
  })

  test('submitted again keeps what is named again, and lets the rest go', async () => {
    await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Please show the search.' })
    const { body } = await submit(tester, id, { text: words, attachmentIds: [files[1]!.id, files[0]!.id] })
    expect(body.proof?.attachments.map(file => file.id)).toEqual([files[1]!.id, files[0]!.id])
    expect(await statusOf(developer, `/attachments/${files[2]!.id}`)).toBe(404)
    await t.advance(25)
    expect(await statusOf(tester, `/attachments/${files[2]!.id}`)).toBe(404)
    expect(await statusOf(developer, `/attachments/${files[0]!.id}`)).toBe(200)
  })

  test('is refused with a file of a check-in or of another proof, which stays where it is', async () => {
    const made = await joined(tester, { durationDays: 1 })
    const ofDay = await uploaded(t, tester, await picture())
    expect((await checkIn(tester, made.id, { attachmentId: ofDay.id })).status).toBe(201)
    await t.advance(24)
    for (const taken of [ofDay.id, files[1]!.id]) {
      const { status, body } = await submit(tester, made.id, { text: words, attachmentIds: [taken] })
      expect([status, body.code]).toEqual([409, 'WRONG_STATE'])
    }
    expect((await submit(tester, made.id, words)).status).toBe(200)
    const attached = await t.look<{ id: string }>(
      'select id, participation_id as test, kind from attachments where id = any($1) order by id',
      [[ofDay.id, files[1]!.id]],
    )
    expect(attached).toEqual(
      [
        { id: ofDay.id, test: made.id, kind: 'CHECK_IN' },
        { id: files[1]!.id, test: id, kind: 'PROOF' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
  })

  test('of a text alone still does', async () => {
    const made = await joined(other, { durationDays: 1 })
    await t.advance(24)
    const { status, body } = await other.call<CampaignTester>('POST', `/testers/campaign-testers/${made.id}/proof`, {
      proof: words,
    })
    expect([status, body.proof]).toMatchObject([200, { text: words, links: [], attachments: [] }])
  })

  test('in two requests at once hangs a file on one of them', async () => {
    const [first, second] = await Promise.all([joined(other), joined(other)])
    await t.advance(24)
    const file = await uploaded(t, other, await picture())
    const replies = await Promise.all([first, second].map(made => submit(other, made.id, { attachmentIds: [file.id] })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})

describe('a screenshot of the opted-in page', () => {
  test('is kept with the opt-in, and ends the developer’s doubt', async () => {
    const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    const made = await joinedBy(tester, campaign.id)
    const optIn = (body?: object) =>
      tester.call<CampaignTester>('POST', `/testers/campaign-testers/${made.id}/opt-in`, body)
    const first = await optIn()
    expect([first.status, first.body.run?.screenshot]).toEqual([200, null])
    const reason = 'Play Console shows one tester fewer than you do.'
    const contested = await developer.call('POST', `/campaign-testers/${made.id}/contest-opt-in`, { reason })
    expect(contested.status).toBe(200)
    const recording = await uploaded(t, tester, film())
    expect((await optIn({ attachmentId: recording.id })).status).toBe(400)
    // To say it again is no evidence.
    expect((await optIn()).body.run?.contest?.endedAt).toBeNull()
    const image = await uploaded(t, tester, await picture())
    const { body } = await optIn({ attachmentId: image.id })
    expect(body.run).toMatchObject({ startedAt: first.body.run!.startedAt, screenshot: image })
    expect(body.run?.contest?.endedAt).not.toBeNull()
    const [run] = await t.look('select contest_outcome from opt_in_runs where participation_id = $1', [made.id])
    expect(run).toEqual({ contest_outcome: 'CLEARED_BY_EVIDENCE' })
    expect(await statusOf(developer, `/attachments/${image.id}/preview`)).toBe(200)
    // A new run has nothing to show yet.
    await tester.call('POST', `/testers/campaign-testers/${made.id}/opt-out`)
    expect((await optIn()).body.run?.screenshot).toBeNull()
  })
  test('is kept, so that a test takes twenty of them beside those of its days; opting in goes on without', async () => {
    const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    const made = await joinedBy(tester, campaign.id)
    const optIn = (body?: object) => tester.call('POST', `/testers/campaign-testers/${made.id}/opt-in`, body)
    for (let shown = 0; shown < mostOptInPictures; shown++) {
      const image = await uploaded(t, tester, await picture())
      expect((await optIn({ attachmentId: image.id })).status).toBe(200)
      if (shown > 0) continue
      const ofDay = await uploaded(t, tester, await picture())
      expect((await checkIn(tester, made.id, { attachmentId: ofDay.id })).status).toBe(201)
    }
    const image = await uploaded(t, tester, await picture())
    expect(await optIn({ attachmentId: image.id })).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await optIn()).status).toBe(200)
  })

  test('sent before the doubt is what the admin decides by, and none of an earlier opt-in', async () => {
    const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    const made = await joinedBy(tester, campaign.id)
    const act = (action: string, body?: object) =>
      tester.call<CampaignTester>('POST', `/testers/campaign-testers/${made.id}/${action}`, body)
    const doubted = async () => {
      await developer.call('POST', `/campaign-testers/${made.id}/contest-opt-in`, { reason: 'One tester is missing.' })
      const { body } = await admin.call<ContestedOptIn[]>('GET', '/admin/campaign-testers/contested')
      return body.find(({ id }) => id === made.id)?.screenshot
    }
    const image = await uploaded(t, tester, await picture())
    await act('opt-in', { attachmentId: image.id })
    expect(await doubted()).toEqual(image)
    expect(await statusOf(admin, `/attachments/${image.id}/preview`)).toBe(200)
    await act('opt-out')
    await act('opt-in')
    expect(await doubted()).toBeNull()
  })
})
