/** What callers send of a participation: joining, a check-in, the proof. */
import { z } from 'zod'
import { isWebLink } from '../kit/links.ts'
import { idOr, Instant, line, longText, optionalLine, optionalText, text, wholeNumber } from '../kit/schemas.ts'
import { Platform } from '../campaigns/contract.ts'
import { limits } from '../campaigns/terms.ts'
import { maxAppealFiles, maxProofFiles, minAppealReason } from './terms.ts'

const DeviceFacts = z.object({
  platform: Platform.optional(),
  osVersion: optionalLine('The system version', 40).optional(),
  model: line('The device model', 120),
  manufacturer: optionalLine('The manufacturer', 120).optional(),
  fingerprint: optionalText('The fingerprint', 200).optional(),
})

/** The device a tester joins with; a plain string is its model (product.md §3). */
export const DeviceInfo = z.union([line('The device', 120).transform(model => ({ model })), DeviceFacts], {
  error: 'Say which device you test on',
})
export type DeviceInfo = z.output<typeof DeviceFacts>

const proofText = optionalText('The proof', 10_000)
const ProofLink = z
  .string({ error: 'A link must be text' })
  .trim()
  .max(2000, { error: 'A link may have at most 2,000 characters' })
  .refine(isWebLink, { error: 'A link must be a full address that starts with http:// or https://' })

const filesUpTo = (most: number) =>
  z
    .array(idOr('An attachment must be given by its ID'), { error: 'Attachments must be a list of IDs' })
    .max(most, { error: `Attach at most ${most} files` })
    .refine(ids => new Set(ids).size === ids.length, { error: 'Attach each file once' })
const ProofFiles = filesUpTo(maxProofFiles)

/** A text, or a text with links and files. */
export const Proof = z.union(
  [
    text('The proof', 10_000).transform(words => ({
      text: words,
      links: [] as string[],
      attachmentIds: [] as string[],
    })),
    z
      .object({
        text: proofText.default(''),
        links: z.array(ProofLink).max(20, { error: 'Add at most 20 links' }).default([]),
        attachmentIds: ProofFiles.default([]),
      })
      .refine(proof => proof.text !== '' || proof.links.length > 0 || proof.attachmentIds.length > 0, {
        error: 'Describe what you tested, or add a link or a file',
      }),
  ],
  { error: 'Describe what you tested, or add a link or a file' },
)
export type Proof = { text: string; links: string[]; attachmentIds: string[] }

/**
 * Which proof a decision is about: its `submittedAt`. If the tester has submitted another one since, the decision is a 409.
 * Without it, the decision is about whatever proof is there.
 */
export const DecidedProof = z.object({ proofSubmittedAt: Instant.optional() })
export type DecidedProof = z.output<typeof DecidedProof>

/** The address and the consent are asked for where the campaign has a tester list, and ignored elsewhere. */
export const Joining = z.object({
  deviceInfo: DeviceInfo,
  playEmail: optionalText('The address', 254).optional(),
  consent: z.boolean({ error: 'Consent must be true or false' }).optional(),
  /** The version of the text that was shown: refused when there is a newer one. */
  consentVersion: z.int({ error: 'The version must be a whole number' }).optional(),
  /** When no seat is free: wait for one on the reserve bench. */
  waitlist: z.boolean({ error: 'Waitlist must be true or false' }).optional(),
})
export type Joining = z.output<typeof Joining>

export const AttachmentId = idOr('An attachment must be given by its ID')

/** What a check-in may say of the day. */
export const NewCheckIn = z.object({
  /** How long the app was in use. */
  minutes: wholeNumber('The minutes', 0, 1440).optional(),
  /** Those of the campaign's features that were tried. */
  features: z
    .array(line('A feature', limits.feature), { error: 'List the features that you tried' })
    .max(limits.features, { error: `Name at most ${limits.features} features` })
    .optional(),
  note: optionalLine('The note', 500).optional(),
  /** A picture that shows the day's code. */
  attachmentId: AttachmentId.optional(),
})
export type NewCheckIn = z.output<typeof NewCheckIn>

/** `screenshot` is another name of `attachmentId` (product.md §3). */
export const CheckInBody = NewCheckIn.extend({ screenshot: AttachmentId.optional() })
  .refine(({ attachmentId, screenshot = attachmentId }) => attachmentId === undefined || attachmentId === screenshot, {
    error: 'A check-in takes one picture: send only one of attachmentId and screenshot',
    path: ['screenshot'],
  })
  .transform(({ screenshot, attachmentId = screenshot, ...said }): NewCheckIn => ({
    ...said,
    ...(attachmentId !== undefined && { attachmentId }),
  }))

/** `payCents`: what the tester was told that leaving pays. With it nobody leaves for less. */
export const Leaving = z.object({ payCents: wholeNumber('The pay', 0, 100_000_000).optional() })
export type Leaving = z.output<typeof Leaving>

/** Why the rejection is wrong, with files that show it. */
export const NewAppeal = z.object({
  reason: longText('Your appeal', {
    min: minAppealReason,
    max: 5000,
    error: `Explain in at least ${minAppealReason} characters why the rejection is wrong`,
  }),
  attachmentIds: filesUpTo(maxAppealFiles).default([]),
})
export type NewAppeal = z.output<typeof NewAppeal>
