/** The people and objects with which tests call every endpoint. */
import type { Role } from '../kit/roles.ts'
import { draftOf, frozen, fundedBy, joinedBy, liveCampaign, type Person, type TestApp } from './app.ts'
import { addPasskey } from './secondFactor.ts'
import { picture } from './pictures.ts'
import { uploaded } from './uploads.ts'
import { pathOf, type Step } from './walk.ts'

export type Fixtures = {
  people: Record<Role, Person>
  /** The path with an object of the caller's own, so that a request that gets through changes something. */
  ownPath: (step: Step, role: Role) => string
  /** The path with an object that neither the developer nor the tester may see. */
  foreignPath: (step: Step) => string
  foreignNouns: readonly string[]
}

type Objects = Record<string, string>

export const fixturesOf = async (t: TestApp): Promise<Fixtures> => {
  const [developer, tester, admin] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('TESTER'), t.signUp('ADMIN')])
  const [owner, stranger] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('TESTER')])
  const people = { DEVELOPER: developer, TESTER: tester, ADMIN: admin }
  const sessionOf = async ({ user }: Person) => {
    const [session] = await t.look<{ id: string }>('select id from sessions where user_id = $1', [user.id])
    return session!.id
  }
  const [draft, live, joined] = await Promise.all([
    draftOf(developer),
    liveCampaign(developer, admin),
    liveCampaign(developer, admin),
  ])
  await admin.call('POST', '/admin/fraud-reports/generate-samples')
  const [report] = await t.look<{ id: string }>('select id from fraud_reports limit 1')
  const paymentOf = async ({ user }: Person) => {
    const [payment] = await t.look<{ id: string }>('select id from payments where developer_id = $1 limit 1', [user.id])
    return payment!.id
  }
  const refundOf = async (person: Person) => {
    await person.call('POST', `/campaigns/${(await fundedBy(person)).id}/cancel`)
    const [refund] = await t.look<{ id: string }>('select id from refunds where developer_id = $1', [person.user.id])
    return refund!.id
  }
  const bugOf = async (person: Person, campaignId: string) => {
    const found = {
      title: 'Search is empty',
      severity: 'LOW',
      steps: 'Search for a note.',
      actual: 'Nothing is found.',
    }
    const { status, body } = await person.call<{ id: string }>('POST', `/campaigns/${campaignId}/bugs`, found)
    if (status !== 201) throw new Error(`reporting a bug failed: ${JSON.stringify(body)}`)
    return body.id
  }
  const changeOf = async (person: Person, campaignId: string) => {
    const version = { version: '1.1', changes: [{ text: 'It starts faster' }] }
    const path = `/campaigns/${campaignId}/changes`
    const { body } = await person.call<{ changes: { id: string }[] }>('POST', path, version)
    return body.changes[0]!.id
  }
  const appealOf = async (person: Person) => {
    const { id } = await frozen(t, person, (await liveCampaign(developer, admin)).id)
    await person.call('POST', `/testers/campaign-testers/${id}/appeal`, {
      reason: 'The second picture shows the search.',
    })
    return id
  }
  const shared = {
    appeals: await appealOf(stranger),
    payments: await paymentOf(developer),
    refunds: await refundOf(developer),
    'campaign-testers': (await joinedBy(tester, joined.id)).id,
    bugs: await bugOf(tester, joined.id),
    changes: await changeOf(developer, joined.id),
    users: stranger.user.id,
    'fraud-reports': report!.id,
    passkeys: (await addPasskey(stranger)).id,
  }
  const attachmentOf = async (person: Person) => (await uploaded(t, person, await picture())).id
  const own: Record<Role, Objects> = {
    DEVELOPER: {
      ...shared,
      campaigns: draft.id,
      sessions: await sessionOf(developer),
      attachments: await attachmentOf(developer),
    },
    TESTER: {
      ...shared,
      campaigns: live.id,
      sessions: await sessionOf(tester),
      attachments: await attachmentOf(tester),
    },
    ADMIN: {
      ...shared,
      campaigns: draft.id,
      sessions: await sessionOf(admin),
      attachments: await attachmentOf(admin),
    },
  }
  const foreignCampaign = await liveCampaign(owner, admin)
  const foreign: Objects = {
    appeals: shared.appeals,
    campaigns: (await draftOf(owner)).id,
    payments: await paymentOf(owner),
    refunds: await refundOf(owner),
    'campaign-testers': (await joinedBy(stranger, foreignCampaign.id)).id,
    bugs: await bugOf(stranger, foreignCampaign.id),
    changes: await changeOf(owner, foreignCampaign.id),
    users: stranger.user.id,
    'fraud-reports': report!.id,
    passkeys: shared.passkeys,
    sessions: await sessionOf(stranger),
    attachments: await attachmentOf(stranger),
  }
  const fill = (step: Step, objects: Objects) => {
    if (step.noun === null) return pathOf(step, '')
    const id = objects[step.noun]
    if (id === undefined) throw new Error(`${step.name}: add an object of ${step.noun} to src/testing/fixtures.ts`)
    return pathOf(step, id)
  }
  return {
    people,
    ownPath: (step, role) => fill(step, own[role]),
    foreignPath: step => fill(step, foreign),
    foreignNouns: Object.keys(foreign),
  }
}
