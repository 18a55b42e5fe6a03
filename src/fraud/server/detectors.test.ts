import { describe, expect, test } from 'vitest'
import { daysAndProof, device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { forgetAgain } from '../../accounts/server/accounts.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { FraudReport } from '../contract.ts'
import { shortestProof } from '../copies.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')

const scan = (as: Person = admin) => fraudScan(t, as)

const join = async (tester: Person, campaignId: string, fingerprint?: string): Promise<string> => {
  const deviceInfo = { ...device, ...(fingerprint !== undefined && { fingerprint }) }
  const { status, body } = await tester.call<{ id: string }>('POST', `/testers/campaigns/${campaignId}/join`, {
    deviceInfo,
  })
  expect(status).toBe(201)
  return body.id
}

const reasons = (found: FraudReport[]) => found.map(({ eventData }) => eventData.reason)

const words = 'I used the app each day and wrote down that the search forgets what was typed.'
const handIn = async (texts: string[], terms = {}) => {
  const developer = await t.signUp('DEVELOPER')
  const testers: Person[] = []
  const parts: { person: Person; participationId: string }[] = []
  for (const [index] of texts.entries()) {
    const { id } = await liveCampaign(developer, admin, { durationDays: 1, ...terms })
    const person = await t.signUp('TESTER')
    testers.push(person)
    parts.push({ person, participationId: await join(person, id, `own-${index}`) })
  }
  await t.advance(24)
  for (const [index, { person, participationId }] of parts.entries()) {
    const path = `/testers/campaign-testers/${participationId}/proof`
    expect((await person.call('POST', path, { proof: texts[index] })).status).toBe(200)
  }
  return testers
}

const earn = async (tester: Person, durationDays = 1) => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays })
  const participationId = await join(tester, id)
  await daysAndProof(t, [{ person: tester, participationId }], durationDays)
  await developer.call('POST', `/campaign-testers/${participationId}/verify`)
}
const withdraw = async (tester: Person) =>
  expect((await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(201)

describe('one device on several accounts', () => {
  test('is reported on the newest account, with every account as evidence', async () => {
    const first = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const second = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const [report, ...more] = await scan()
    expect(more).toEqual([])
    expect(report).toMatchObject({
      status: 'OPEN',
      isSample: false,
      user: { id: second.user.id, email: second.user.email, status: 'ACTIVE' },
      eventData: { severity: 'MEDIUM', reason: 'One device on several accounts' },
      resolution: null,
      adminId: null,
      decidedAt: null,
    })
    expect(report!.eventData.evidence.flatMap(({ user }) => (user ? [user.id] : []))).toEqual([
      first.user.id,
      second.user.id,
    ])
  })

  test('is no finding if the other account was a stranger’s who never confirmed the address', async () => {
    const stranger = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.look(`update users set email = 'unconfirmed-' || id || '@unconfirmed.invalid' where id = $1`, [
      stranger.user.id,
    ])
    expect(await scan()).toEqual([])
  })

  test('is reported on the newest account, even if a server with a slow clock registered that one', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const second = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.look(`update sessions set created_at = created_at - interval '5 seconds' where user_id = $1`, [
      second.user.id,
    ])
    expect((await scan()).map(({ user }) => user.id)).toEqual([second.user.id])
  })

  test('is seen across signing in, signing in again and joining', async () => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(developer, admin)
    const joined = await t.signUp('TESTER')
    await join(joined, id, 'phone-2')
    const other = await t.signUp('TESTER')
    await t.call('POST', '/auth/login', {
      body: { email: other.user.email, password: 'correct horse', deviceFingerprint: ' phone-2 ' },
    })
    expect(reasons(await scan())).toEqual(['One device on several accounts'])
  })

  test('is found even if the first account’s sessions on it were deleted long ago', async () => {
    const first = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const signIn = { email: first.user.email, password: 'correct horse', deviceFingerprint: 'another' }
    await t.call('POST', '/auth/login', { body: signIn })
    await t.advance(200 * 24)
    expect(await t.look(`select from sessions where device_fingerprint = 'phone-1'`)).toEqual([])
    const adminAgain = await t.signIn(admin.user.email)
    const second = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const [report, ...more] = await scan(adminAgain)
    expect([report?.user.id, more]).toEqual([second.user.id, []])
    expect(report!.eventData.evidence.flatMap(({ user }) => (user ? [user.id] : []))).toEqual([
      first.user.id,
      second.user.id,
    ])
  })

  test('is no finding for one account on many devices, without a device, with one network address, or with an admin who helps', async () => {
    const one = await t.signUp('TESTER', { deviceFingerprint: 'mine' })
    for (const deviceFingerprint of ['mine', 'my-other', 'mine']) {
      await t.call('POST', '/auth/login', {
        body: { email: one.user.email, password: 'correct horse', deviceFingerprint },
      })
    }
    await t.signUp('TESTER', { deviceFingerprint: '' })
    await t.signUp('TESTER', { deviceFingerprint: '  ' })
    await t.signUp('TESTER')
    await t.call('POST', '/auth/login', {
      body: { email: admin.user.email, password: 'correct horse', deviceFingerprint: 'mine' },
    })
    const addresses = await t.look<{ ip: string }>('select distinct ip from sessions')
    expect(addresses).toHaveLength(1)
    expect(await scan()).toEqual([])
  })

  test('with a suspended account that comes back under another name is graded higher', async () => {
    const banned = await t.signUp('TESTER', { deviceFingerprint: 'phone-3' })
    await admin.call('POST', `/admin/users/${banned.user.id}/ban`, { reason: 'Copied proofs.' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-3' })
    expect((await scan()).map(({ eventData }) => eventData.severity)).toEqual(['HIGH'])
  })
})

describe('developer and tester of one campaign on one device', () => {
  test('is found from the tester’s join or from a sign-in, and names the campaign', async () => {
    const developer = await t.signUp('DEVELOPER', { deviceFingerprint: 'desk' })
    const [byJoin, bySession] = [await t.signUp('TESTER'), await t.signUp('TESTER', { deviceFingerprint: 'desk' })]
    const campaign = await liveCampaign(developer, admin)
    await join(byJoin, campaign.id, 'desk')
    await join(bySession, campaign.id, 'elsewhere')
    const found = (await scan()).filter(({ eventData }) => eventData.reason === 'Developer and tester on one device')
    expect(found.map(({ user }) => user.id).toSorted()).toEqual([byJoin.user.id, bySession.user.id].toSorted())
    expect(found[0]).toMatchObject({ eventData: { severity: 'HIGH' } })
    expect(found[0]!.eventData.evidence[0]!.campaign).toEqual({ id: campaign.id, title: campaign.title })
    // Both on the shared device, once; the tester's other devices must not appear.
    for (const { user, eventData } of found)
      expect(eventData.evidence.flatMap(({ user: seen }) => seen?.id ?? [])).toEqual([developer.user.id, user.id])
  })

  test('is no finding if the tester tests somebody else’s campaign', async () => {
    await t.signUp('DEVELOPER', { deviceFingerprint: 'desk' })
    const stranger = await t.signUp('DEVELOPER', { deviceFingerprint: 'another desk' })
    const tester = await t.signUp('TESTER', { deviceFingerprint: 'desk' })
    await join(tester, (await liveCampaign(stranger, admin)).id, 'desk')
    expect(reasons(await scan())).toEqual(['One device on several accounts'])
  })

  test('is found if the shared device was seen long before the join', async () => {
    const developer = await t.signUp('DEVELOPER', { deviceFingerprint: 'desk' })
    const tester = await t.signUp('TESTER', { deviceFingerprint: 'desk' })
    await t.advance(72)
    await join(tester, (await liveCampaign(developer, admin)).id)
    expect(reasons(await scan())).toContain('Developer and tester on one device')
  })
})

describe('the same proof text', () => {
  test('from several testers is found regardless of case and spaces, and the later one is reported', async () => {
    const [, second] = await handIn([words, `  ${words.toUpperCase().replaceAll(' ', ' \n\t ')} `])
    const found = await scan()
    expect(found.map(({ user, eventData }) => [user.id, eventData.severity])).toEqual([[second!.user.id, 'HIGH']])
    expect(found[0]!.eventData.evidence.filter(({ campaign }) => campaign)).toHaveLength(2)
    // From long before the next scan, which does not go through them again.
    await t.advance(3)
    await t.look('truncate fraud_finding_parts; update fraud_reports set archived_at = now()')
    expect(await scan()).toEqual([])
  })

  test('is reported on the last tester who still has an account, and on nobody if all are deleted', async () => {
    const [, second, third] = await handIn([words, words, words])
    await forgetAgain(third!.user.id)
    const copiers = async () =>
      (await scan()).flatMap(({ user, eventData }) => (eventData.reason.startsWith('Same proof') ? [user.id] : []))
    expect(await copiers()).toEqual([second!.user.id])
    const others = 'Nobody but us two has ever written this, and the second of us is gone.'
    const [, gone] = await handIn([others, others])
    await forgetAgain(gone!.user.id)
    expect(await copiers()).toEqual([second!.user.id])
  })

  test('is never held against its author, even if a server with a slow clock received the copy', async () => {
    const [, copyist] = await handIn([words, words])
    await t.look(
      `update participations set proof_submitted_at = proof_submitted_at - interval '5 seconds' where tester_id = $1`,
      [copyist!.user.id],
    )
    expect((await scan()).map(({ user }) => user.id)).toEqual([copyist!.user.id])
  })

  /** One tester submits `texts` before and after changes were requested, and another submits `words` in between. */
  const submittedAgain = async (...texts: [string, string]) => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(developer, admin, { testersRequired: 2, durationDays: 1, dailyCheckIn: false })
    const [one, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const [first, second] = [await join(one, id, 'own-1'), await join(other, id, 'own-2')]
    await t.advance(24)
    const submit = async (person: Person, participationId: string, proof: unknown) =>
      expect((await person.call('POST', `/testers/campaign-testers/${participationId}/proof`, { proof })).status).toBe(
        200,
      )
    await submit(one, first, texts[0])
    await submit(other, second, words)
    await developer.call('POST', `/campaign-testers/${first}/request-changes`, { note: 'Please add a link.' })
    await submit(one, first, { text: texts[1], links: ['https://example.test/notes'] })
    return { one, other }
  }

  test('is never held against an author who submits it again after changes were requested', async () => {
    const { other } = await submittedAgain(words, words)
    expect((await scan()).map(({ user }) => user.id)).toEqual([other.user.id])
  })

  test('is reported on a tester who adopts it when changes are requested', async () => {
    const { one } = await submittedAgain('The map lost my route twice on Tuesday.', words)
    expect((await scan()).map(({ user }) => user.id)).toEqual([one.user.id])
  })

  test('is no finding if old submissions do not say who had it first', async () => {
    await submittedAgain(words, words)
    await t.look(
      `alter table campaign_events disable trigger campaign_events_append_only; update campaign_events set facts = facts - 'proofKey';
       alter table campaign_events enable trigger campaign_events_append_only`,
    )
    expect(await scan()).toEqual([])
  })

  test('is no finding about a tester who may have had it first, in an old submission that does not say', async () => {
    const { one } = await submittedAgain(words, words)
    await t.look(
      `alter table campaign_events disable trigger campaign_events_append_only;
       update campaign_events set facts = facts - 'proofKey' where id = (select min(e.id) from campaign_events e
         join participations p on p.id = e.participation_id where p.tester_id = '${one.user.id}' and e.kind = 'PROOF_SUBMITTED');
       alter table campaign_events enable trigger campaign_events_append_only`,
    )
    expect(await scan()).toEqual([])
  })

  test('counts from the same length in SQL and TypeScript', async () => {
    const keyed = await t.look<{ short: string | null; long: string | null }>(
      `select proof_key(' ' || repeat('a', $1 - 1) || '  ') as short, proof_key(repeat('a', $1)) as long`,
      [shortestProof],
    )
    expect(keyed).toEqual([{ short: null, long: expect.any(String) }])
  })

  test('is no finding if the words differ, are short, or are one tester’s own', async () => {
    const others = 'After the update the map loaded at once, and I could not make it lose my route again.'
    await handIn([words, others, 'All good!', 'all good!'])
    const developer = await t.signUp('DEVELOPER')
    const tester = await t.signUp('TESTER')
    for (let index = 0; index < 2; index++) {
      const { id } = await liveCampaign(developer, admin, { durationDays: 1 })
      const participationId = await join(tester, id, 'own')
      await t.advance(24)
      const proof = 'My own words that I use in each of my tests, since all went well.'
      await tester.call('POST', `/testers/campaign-testers/${participationId}/proof`, { proof })
    }
    expect(await scan()).toEqual([])
  })
})

describe('a withdrawal right after the first credit of a new account', () => {
  test('is found with its amounts and times', async () => {
    const tester = await t.signUp('TESTER')
    await earn(tester)
    await t.advance(2)
    await withdraw(tester)
    const [report] = await scan()
    expect(report).toMatchObject({
      user: { id: tester.user.id },
      eventData: { severity: 'HIGH', reason: 'Withdrawal right after the first credit' },
    })
    expect(report!.eventData.details).toBe(
      'A withdrawal of $10.00 was requested 2 hours after the first credit of an account that was 1 day old.',
    )
    expect(report!.eventData.evidence.map(({ label, value }) => [label, value])).toEqual([
      ['Account created', 'Tester'],
      ['First credit', '$10.00'],
      ['Withdrawal', '$10.00'],
    ])
  })

  test('is no finding once the account is deleted', async () => {
    const tester = await t.signUp('TESTER')
    await earn(tester)
    await withdraw(tester)
    await forgetAgain(tester.user.id)
    expect(await scan()).toEqual([])
  })

  test('is no finding a day later, on an old account, or after a later credit', async () => {
    const patient = await t.signUp('TESTER')
    await earn(patient)
    await t.advance(25)
    await withdraw(patient)
    await earn(patient)
    await withdraw(patient)
    const old = await t.signUp('TESTER')
    for (let week = 0; week < 5; week++) {
      await t.advance(7 * 24)
      // A session ends if it is not used for 30 days.
      await Promise.all([admin, old].map(person => person.call('GET', '/users/me')))
    }
    await earn(old)
    await withdraw(old)
    // Its first credit comes after thirty days and a half.
    const month = await t.signUp('TESTER')
    await t.look(`update users set created_at = created_at - interval '708 hours' where id = $1`, [month.user.id])
    await earn(month)
    await withdraw(month)
    // `earn` submits the same text for every tester, which is another finding.
    expect(new Set(reasons(await scan()))).toEqual(new Set(['Same proof text from several testers']))
  })
})

describe('one Play address for several accounts', () => {
  test('is reported on the newest account, again with another one, and never with the address', async () => {
    const developer = await t.signUp('DEVELOPER')
    const newTest = async () => (await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })).id
    const [first, second, third, alone] = [
      await t.signUp('TESTER'),
      await t.signUp('TESTER'),
      await t.signUp('TESTER'),
      await t.signUp('TESTER'),
    ]
    await joinedBy(first, await newTest(), 'one.hand@gmail.com')
    await joinedBy(alone, await newTest(), 'another.hand@gmail.com')
    expect(await scan()).toEqual([])
    await t.advance(2)
    await joinedBy(second, await newTest(), 'onehand@googlemail.com')
    const [report, ...more] = await scan()
    expect(more).toEqual([])
    expect(report).toMatchObject({
      user: { id: second.user.id },
      eventData: {
        severity: 'MEDIUM',
        reason: 'One Google account for several testers',
        details:
          '2 accounts joined closed tests with the same Play address. Play addresses are not verified, so someone may have entered another person’s address.',
      },
    })
    expect(report!.eventData.evidence.map(({ user }) => user?.id)).toEqual([first.user.id, second.user.id])
    expect(await scan()).toHaveLength(1)
    await t.advance(2)
    await joinedBy(third, await newTest(), 'one.hand+3@gmail.com')
    const [newest] = await scan()
    expect(newest).toMatchObject({ user: { id: third.user.id }, eventData: { severity: 'HIGH' } })
    const stored = await t.look<{ row: string }>(
      'select r::text as row from fraud_reports r union all select p::text from fraud_finding_parts p',
    )
    const [hash] = await t.look<{ hex: string }>(
      `select encode(address_hash, 'hex') as hex from play_addresses where tester_id = $1`,
      [first.user.id],
    )
    expect(stored.filter(({ row }) => /hand/.test(row) || row.includes(hash!.hex))).toEqual([])
  })

  test('is reported on the account that joined last, even if a server with a slow clock admitted it', async () => {
    const developer = await t.signUp('DEVELOPER')
    const newTest = async () => (await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })).id
    const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await joinedBy(first, await newTest(), 'one.hand@gmail.com')
    await joinedBy(second, await newTest(), 'one.hand@gmail.com')
    await t.look(`update play_addresses set consented_at = consented_at - interval '5 seconds' where tester_id = $1`, [
      second.user.id,
    ])
    await t.look(`update participations set joined_at = joined_at - interval '5 seconds' where tester_id = $1`, [
      second.user.id,
    ])
    const [report] = await scan()
    expect(report).toMatchObject({ user: { id: second.user.id } })
    expect(report!.eventData.evidence.map(({ user }) => user?.id)).toEqual([first.user.id, second.user.id])
  })

  test('is found even if the seat comes days after the address was given on the bench', async () => {
    const developer = await t.signUp('DEVELOPER')
    const terms = { accessMode: 'EMAIL_LIST', testersRequired: 1 }
    const full = await liveCampaign(developer, admin, terms)
    const [seated, waiting, other] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
    const seat = await joinedBy(seated, full.id)
    const address = { playEmail: 'one.hand@gmail.com', consent: true }
    const place = await waiting.call<{ id: string }>('POST', `/testers/campaigns/${full.id}/join`, {
      deviceInfo: device,
      waitlist: true,
      ...address,
    })
    await joinedBy(other, (await liveCampaign(developer, admin, terms)).id, address.playEmail)
    await t.advance(2 * 24)
    expect(await scan()).toEqual([])
    expect((await seated.call('POST', `/testers/campaign-testers/${seat.id}/leave`)).status).toBe(200)
    expect((await waiting.call('POST', `/testers/campaign-testers/${place.body.id}/accept-seat`)).status).toBe(200)
    const [report] = await scan()
    expect(report).toMatchObject({
      user: { id: waiting.user.id },
      eventData: { reason: 'One Google account for several testers' },
    })
  })

  test('of one account in several tests is no finding', async () => {
    const developer = await t.signUp('DEVELOPER')
    const person = await t.signUp('TESTER')
    for (const title of ['One', 'Two']) {
      const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', title })
      await joinedBy(person, id, 'one.hand@gmail.com')
    }
    expect(await scan()).toEqual([])
  })
})
