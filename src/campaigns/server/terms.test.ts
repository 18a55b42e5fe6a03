import { describe, expect, test } from 'vitest'
import { daysAfter } from '../../kit/clock.ts'
import { draftOf, fundedBy, joinedBy, liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, tally } from '../../testing/observed.ts'
import type { Transaction } from '../../ledger/contract.ts'
import type { Campaign } from '../contract.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const rejected = async (terms: Record<string, unknown> = {}): Promise<Campaign> => {
  const { id } = await fundedBy(owner, terms)
  return (await admin.call<Campaign>('POST', `/admin/campaigns/${id}/reject`, { reason: 'Say what to test.' })).body
}
const edit = (id: string, change: object) => owner.call<Campaign>('PATCH', `/campaigns/${id}`, change)
const fund = (id: string, amountCents: number) => owner.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents })
const statementOf = async (campaignId: string) => {
  const { body } = await owner.call<{ data: Transaction[] }>('GET', '/users/me/transactions?limit=100')
  const lines = body.data.filter(line => line.campaign?.id === campaignId)
  return lines.map(line => [line.type, line.status, line.amountCents]).toReversed()
}

describe('funding', () => {
  test('takes the outstanding amount to the cent, and names it when another one is offered', async () => {
    const draft = await draftOf(owner)
    for (const amountCents of [1, 0, -3450, 3449, 3451, Number.MAX_SAFE_INTEGER]) {
      const refused = await owner.call('POST', `/campaigns/${draft.id}/fund`, { amountCents })
      expect(refused).toMatchObject({ status: 422, body: { code: 'WRONG_AMOUNT' } })
      expect(refused.body.message).toContain('$34.50 (3450 cents)')
      expect(refused.body.fields?.amountCents).toBe(refused.body.message)
    }
    for (const amountCents of [3450.5, 2 ** 53, '3450', null]) {
      expect((await owner.call('POST', `/campaigns/${draft.id}/fund`, { amountCents })).status).toBe(400)
    }
    expect(await statementOf(draft.id)).toEqual([])
    expect((await fund(draft.id, 3450)).body).toMatchObject({
      status: 'PENDING_APPROVAL',
      fundedCents: 3000,
      feeCents: 450,
      outstandingCents: 0,
      actions: ['cancel'],
    })
    expect(await statementOf(draft.id)).toEqual([
      ['DEBIT', 'COMPLETED', 3000],
      ['FEE', 'COMPLETED', 450],
    ])
  })

  test('of nothing is refused: a draft that is paid is submitted instead', async () => {
    const { id } = await rejected()
    expect(await fund(id, 3450)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    await edit(id, { title: 'Edited' })
    expect(await fund(id, 3450)).toMatchObject({
      status: 422,
      body: { message: 'Nothing is outstanding: submit the campaign for approval.' },
    })
  })
})

describe('the limits of the specification', () => {
  const create = (terms: object) => owner.call('POST', '/campaigns', { ...leastTerms, ...terms })
  const leastTerms = { title: 'T', description: 'D', distributionLink: 'https://example.com/app' }

  test.each([
    ['title', 'x', 'x'.repeat(120)],
    ['description', 'x', 'x'.repeat(5000)],
    ['testersRequired', 1, 100],
    ['payPerTesterCents', 100, 1_000_000],
    ['durationDays', 1, 90],
  ])('%s: the least and the most are allowed', async (field, least, most) => {
    for (const value of [least, most]) expect(await create({ [field]: value })).toMatchObject({ status: 201 })
  })

  test.each([
    ['title', '', 'x'.repeat(121)],
    ['description', '', 'x'.repeat(5001)],
    ['testersRequired', 0, 101],
    ['payPerTesterCents', 99, 1_000_001],
    ['durationDays', 0, 91],
  ])('%s: one less and one more are refused, with the field named', async (field, less, more) => {
    for (const value of [less, more]) {
      const { status, body } = await create({ [field]: value })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    }
  })
})

describe('after a rejection', () => {
  test('the owner sees the reason, edits, submits, and the reason is gone', async () => {
    const campaign = await rejected()
    const seen = await owner.call<Campaign>('GET', `/campaigns/${campaign.id}`)
    expect(seen.body).toMatchObject({ status: 'REJECTED', rejectionReason: 'Say what to test.', fundedCents: 3000 })
    expect((await edit(campaign.id, { title: 'Better' })).body).toMatchObject({
      status: 'DRAFT',
      rejectionReason: null,
      outstandingCents: 0,
      actions: ['update', 'submit', 'cancel'],
    })
    expect((await owner.call<Campaign>('POST', `/campaigns/${campaign.id}/submit`)).body.status).toBe(
      'PENDING_APPROVAL',
    )
    expect((await admin.call<Campaign>('POST', `/admin/campaigns/${campaign.id}/approve`)).body.status).toBe('APPROVED')
  })

  test('it is submitted again only after an edit; one that changes nothing will do, since the fault may lie elsewhere', async () => {
    const campaign = await rejected()
    const { id, title, description, filters, payPerTesterCents } = campaign
    const submit = () => owner.call<Campaign & { message: string }>('POST', `/campaigns/${id}/submit`)
    expect(await submit()).toMatchObject({
      status: 409,
      body: { message: 'This campaign is rejected, so you cannot submit it. You can edit or cancel it.' },
    })
    const same = await edit(id, { title, description: ` ${description} `, filters, payPerTesterCents })
    expect(same).toMatchObject({
      status: 200,
      body: {
        status: 'DRAFT',
        title,
        fundedCents: 3000,
        rejectionReason: null,
        actions: ['update', 'submit', 'cancel'],
      },
    })
    expect((await submit()).body.status).toBe('PENDING_APPROVAL')
  })

  test('cheaper terms give the surplus back at once, pay and fee, and leave nothing owed', async () => {
    const { id } = await rejected({ testersRequired: 3, payPerTesterCents: 1000 })
    const cheaper = await edit(id, { testersRequired: 2, payPerTesterCents: 501 })
    // 1002 of pay, 150.3 of fee.
    expect(cheaper.body).toMatchObject({ fundedCents: 1002, feeCents: 150, outstandingCents: 0, totalCostCents: 1152 })
    expect((await statementOf(id)).at(-1)).toEqual(['CREDIT', 'PENDING', 3450 - 1152])
    await t.advance(1)
    expect((await statementOf(id)).at(-1)).toEqual(['CREDIT', 'COMPLETED', 3450 - 1152])
    expect((await owner.call<Campaign>('POST', `/campaigns/${id}/submit`)).status).toBe(200)
  })

  test('dearer terms owe the difference, which is what funding then takes', async () => {
    const { id } = await rejected({ testersRequired: 3, payPerTesterCents: 1000 })
    const dearer = await edit(id, { testersRequired: 4, payPerTesterCents: 1001 })
    // 4004 of pay, 600.6 of fee.
    expect(dearer.body).toMatchObject({ fundedCents: 3000, feeCents: 450, quotedFeeCents: 601, outstandingCents: 1155 })
    expect(dearer.body.actions).toEqual(['update', 'fund', 'cancel'])
    const early = await owner.call('POST', `/campaigns/${id}/submit`)
    expect(early).toMatchObject({
      status: 409,
      body: { message: 'Pay the outstanding $11.55 before you submit this campaign.' },
    })
    expect((await fund(id, 3450)).status).toBe(422)
    expect((await fund(id, 1155)).body).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 4004, feeCents: 601 })
    expect((await statementOf(id)).slice(2)).toEqual([
      ['DEBIT', 'COMPLETED', 1004],
      ['FEE', 'COMPLETED', 151],
    ])
  })

  test('a cent more of pay that changes no fee is paid without a line of no fee', async () => {
    const { id } = await rejected({ testersRequired: 1, payPerTesterCents: 100 })
    expect((await edit(id, { payPerTesterCents: 101 })).body).toMatchObject({ quotedFeeCents: 15, outstandingCents: 1 })
    expect((await fund(id, 1)).status).toBe(200)
    expect((await statementOf(id)).slice(2)).toEqual([['DEBIT', 'COMPLETED', 1]])
  })
})

describe('editing', () => {
  test('of one draft by many at once loses no field', async () => {
    const { id } = await draftOf(owner)
    const changes = [
      { title: 'T' },
      { description: 'D' },
      { payPerTesterCents: 700 },
      { testersRequired: 9 },
      { durationDays: 5 },
      { dailyCheckIn: false },
      { platform: 'ios' },
      { distributionLink: 'https://example.test/new' },
      { filters: { countries: ['Germany', '', ' France '] } },
      { filters: { minAndroidVersion: '13' } },
      { filters: { minIOSVersion: '17.1' } },
    ]
    expect(tally(await inParallel(changes.length, index => edit(id, changes[index]!)))).toEqual({ 200: changes.length })
    expect((await owner.call<Campaign>('GET', `/campaigns/${id}`)).body).toMatchObject({
      ...Object.assign({}, ...changes),
      filters: { countries: ['Germany', 'France'], minAndroidVersion: '13', minIOSVersion: '17.1' },
      quotedPayCents: 6300,
      quotedFeeCents: 945,
    })
  })

  test('of a part of the filters leaves the other parts, and null or an empty text takes a part away', async () => {
    const { id } = await draftOf(owner)
    const filters = async (change: object) => (await edit(id, { filters: change })).body.filters
    await filters({ countries: ['Germany'], minAndroidVersion: '13', minIOSVersion: '17' })
    expect(await filters({ minAndroidVersion: null })).toMatchObject({
      countries: ['Germany'],
      minAndroidVersion: null,
      minIOSVersion: '17',
    })
    expect(await filters({ minIOSVersion: '' })).toMatchObject({ countries: ['Germany'], minIOSVersion: null })
    expect(await filters({ countries: [] })).toMatchObject({ countries: [] })
  })

  test('of one running campaign by many at once loses no text', async () => {
    const { id } = await liveCampaign(owner, admin)
    const changes = [{ title: 'T2' }, { description: 'D2' }, { distributionLink: 'https://example.test/2' }]
    // The link waits for an admin.
    const shown = (texts: object[]) => {
      const { distributionLink, ...now } = Object.assign({}, ...texts)
      return { ...now, pendingLink: distributionLink }
    }
    for (let round = 0; round < 5; round++) {
      const texts = changes.map(change =>
        Object.fromEntries(Object.entries(change).map(([field, to]) => [field, `${to}${round}`])),
      )
      expect(tally(await inParallel(3, index => edit(id, texts[index]!)))).toEqual({ 200: 3 })
      expect((await owner.call<Campaign>('GET', `/campaigns/${id}`)).body).toMatchObject(shown(texts))
    }
  })

  test('while LIVE or PAUSED changes the texts, and refuses all else with the field named and nothing changed', async () => {
    const { id } = await liveCampaign(owner, admin)
    for (const status of ['LIVE', 'PAUSED']) {
      expect((await edit(id, { title: `While ${status}`, description: 'New' })).body).toMatchObject({
        title: `While ${status}`,
        status,
      })
      const refused = await owner.call('PATCH', `/campaigns/${id}`, {
        title: 'No',
        payPerTesterCents: 500,
        dailyCheckIn: false,
      })
      expect(refused.status).toBe(409)
      expect(Object.keys(refused.body.fields ?? {})).toEqual(['payPerTesterCents', 'dailyCheckIn'])
      expect((await owner.call<Campaign>('GET', `/campaigns/${id}`)).body.title).toBe(`While ${status}`)
      await owner.call('POST', `/campaigns/${id}/pause`)
    }
  })

  test('an edit and a funding at once never leave a campaign submitted that is not paid', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await draftOf(owner)
      const [funded, edited] = await Promise.all([fund(id, 3450), edit(id, { payPerTesterCents: 2000 })])
      expect([
        [200, 409],
        [422, 200],
        // The edit came between the charge and its booking: the money goes back.
        [409, 200],
      ]).toContainEqual([funded.status, edited.status])
      const { body } = await owner.call<Campaign>('GET', `/campaigns/${id}`)
      expect(body).toMatchObject(
        funded.status === 200
          ? { status: 'PENDING_APPROVAL', fundedCents: 3000, payPerTesterCents: 1000 }
          : { status: 'DRAFT', fundedCents: 0, outstandingCents: 6900 },
      )
    }
  })
})

describe('dates', () => {
  test('start sets them once, in days of 24 hours; a pause moves neither', async () => {
    const campaign = await liveCampaign(owner, admin, { durationDays: 90 })
    expect(campaign.endDate).toBe(daysAfter(campaign.startDate!, 90))
    await t.advance(30)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    const { body } = await owner.call<Campaign>('POST', `/campaigns/${campaign.id}/start`)
    expect(body).toMatchObject({ status: 'LIVE', startDate: campaign.startDate, endDate: campaign.endDate })
  })

  test('a late tester moves the end to their own last day, and an earlier one does not move it back', async () => {
    const { id, startDate } = await liveCampaign(owner, admin, { durationDays: 5 })
    expect(startDate).not.toBeNull()
    await t.advance(30)
    const late = await joinedBy(await t.signUp('TESTER'), id)
    expect(late.proofAllowedAt).toBe(daysAfter(late.joinedAt, 5))
    const { body } = await owner.call<Campaign>('GET', `/campaigns/${id}`)
    expect(body.endDate).toBe(late.proofAllowedAt)
    expect(body.startDate).toBe(startDate)
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
