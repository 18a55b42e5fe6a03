import { CircleAlert, CircleHelp, Info, type LucideIcon, ShieldAlert, TriangleAlert } from 'lucide-react'
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import type { ReportStatus, Severity } from '../contract.ts'

type Face = { label: string; tone: Tone; Icon: LucideIcon; iconLook: string }

/** Spec §4: CRITICAL and HIGH destructive, MEDIUM secondary, LOW outline. Sentence case, as all statuses (product.md §1). */
const faces: Record<Severity, Face> = {
  CRITICAL: { label: 'Critical', tone: 'red', Icon: ShieldAlert, iconLook: 'bg-red-tone text-red-tone-foreground' },
  HIGH: { label: 'High', tone: 'red', Icon: TriangleAlert, iconLook: 'bg-red-tone text-red-tone-foreground' },
  MEDIUM: {
    label: 'Medium',
    tone: 'neutral',
    Icon: CircleAlert,
    iconLook: 'bg-neutral-tone text-neutral-tone-foreground',
  },
  LOW: { label: 'Low', tone: 'outline', Icon: Info, iconLook: 'border text-muted-foreground' },
}

const unknownFace: Face = {
  // The specification's word, to the letter (spec §2).
  label: 'UNKNOWN',
  tone: 'gray',
  Icon: CircleHelp,
  iconLook: 'bg-gray-tone text-gray-tone-foreground',
}

/** Falls back to unknown for a severity that only a newer server knows. */
export const severityFace = (severity: string | null | undefined): Face =>
  Object.entries(faces).find(([name]) => name === severity)?.[1] ?? unknownFace

export const statusLooks: Record<ReportStatus, { label: string; tone: Tone }> = {
  OPEN: { label: 'Open', tone: 'yellow' },
  RESOLVED: { label: 'Resolved', tone: 'green' },
  DISMISSED: { label: 'Dismissed', tone: 'gray' },
}

/** Defaults for a report without a reason or details (spec §2). */
export const reasonOf = (reason: string | null | undefined) => reason || 'Fraud Detected'
export const detailsOf = (details: string | null | undefined) => details || 'No additional details available'
