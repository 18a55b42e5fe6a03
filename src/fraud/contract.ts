/** Fraud: reports based on facts, the scan that creates them, the admins' decisions (spec §2, §3, §7; product.md §6). */
import { z } from 'zod'
import { Attachment } from '../attachments/contract.ts'
import { endpoints } from '../kit/endpoint.ts'
import { roles } from '../kit/roles.ts'
import { ById, EmailAddress, filter, Id, Instant, numberedQuery, optionalLine, text } from '../kit/schemas.ts'
import { reportStatuses, scanStates, severities } from './terms.ts'

export const Severity = z.enum(severities, { error: 'Unknown severity' })
export type Severity = z.output<typeof Severity>

export const ReportStatus = z.enum(reportStatuses, { error: 'Unknown status' })
export type ReportStatus = z.output<typeof ReportStatus>

/**
 * One labeled fact. `user` and `campaign` identify what the value names, so that screens can link to it; `attachment` is the file
 * in question, until it is deleted with its account.
 */
export const Evidence = z.object({
  label: z.string(),
  value: z.string(),
  at: Instant.nullable(),
  /** `isDeleted`: there is no longer a profile to link to. */
  user: z.object({ id: Id, name: z.string(), email: EmailAddress, isDeleted: z.boolean() }).nullable(),
  campaign: z.object({ id: Id, title: z.string() }).nullable(),
  attachment: Attachment.nullable(),
})
export type Evidence = z.output<typeof Evidence>

export const FraudReport = z.object({
  id: Id,
  createdAt: Instant,
  status: ReportStatus,
  /** Created by Generate Samples, not by a scan. */
  isSample: z.boolean(),
  eventData: z.object({ severity: Severity, reason: z.string(), details: z.string(), evidence: z.array(Evidence) }),
  user: z.object({
    id: Id,
    name: z.string(),
    email: EmailAddress,
    createdAt: Instant,
    role: z.enum(roles),
    /** `DELETED`: the account is gone, so there is neither a profile nor anybody to ban. */
    status: z.enum(['ACTIVE', 'SUSPENDED', 'DELETED']),
  }),
  /** The resolution, or the reason for the dismissal. */
  resolution: z.string().nullable(),
  /** The admin who decided. */
  adminId: Id.nullable(),
  decidedAt: Instant.nullable(),
})
export type FraudReport = z.output<typeof FraudReport>

export const FraudReportFile = FraudReport.extend({
  /** Its history, oldest first; `by` is null for the scan. */
  history: z.array(
    z.object({
      at: Instant,
      event: z.enum(['REPORTED', 'RESOLVED', 'DISMISSED']),
      by: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  /** The user's other reports, the newest 10. */
  others: z.array(
    z.object({ id: Id, createdAt: Instant, severity: Severity, status: ReportStatus, reason: z.string() }),
  ),
})
export type FraudReportFile = z.output<typeof FraudReportFile>

export const FraudScan = z.object({
  id: Id,
  state: z.enum(scanStates),
  requestedAt: Instant,
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  durationMs: z.int().nullable(),
  /** How many reports it created. */
  found: z.int().nullable(),
})
export type FraudScan = z.output<typeof FraudScan>

export const FraudStats = z.object({
  total: z.int(),
  bySeverity: z.object({ CRITICAL: z.int(), HIGH: z.int(), MEDIUM: z.int(), LOW: z.int() }),
  byStatus: z.object({ OPEN: z.int(), RESOLVED: z.int(), DISMISSED: z.int() }),
  /** How many of the total are samples. */
  samples: z.int(),
  resolved: z.int(),
  /** Share of resolved reports, in whole percent. */
  resolutionPercent: z.int(),
  /** The running scan. */
  runningScan: FraudScan.nullable(),
  /** The last scan that ended, successfully or not. */
  lastScan: FraudScan.nullable(),
})
export type FraudStats = z.output<typeof FraudStats>

export const FraudReportQuery = numberedQuery(50, {
  severity: filter(severities, 'Unknown severity'),
  status: filter(reportStatuses, 'Unknown status'),
  /** Only samples, or everything but samples. */
  sample: filter(['true', 'false'], 'Sample must be true or false'),
  search: optionalLine('Search', 100).optional(),
})
export type FraudReportQuery = z.output<typeof FraudReportQuery>

/** Accepted because the spec's client sends it, and ignored: the session says who decides. */
const adminId = z.unknown().optional()

export const Resolve = z.object({ resolution: text('Resolution', 2000), adminId })
export const Dismiss = z.object({ reason: text('Reason', 2000), adminId })

const decide = { method: 'POST', access: 'ADMIN', params: ById, reply: FraudReport, errors: ['WRONG_STATE'] } as const

export const fraudApi = endpoints({
  list: {
    method: 'GET',
    path: '/admin/fraud-reports',
    replica: true,
    access: 'ADMIN',
    summary:
      'Fraud reports, newest first, filtered by severity, status, and words in the user’s name, their email or the report.',
    query: FraudReportQuery,
    pageOf: FraudReport,
    numbered: true,
  },
  stats: {
    method: 'GET',
    path: '/admin/fraud-reports/stats',
    replica: true,
    report: true,
    access: 'ADMIN',
    summary: 'How many reports there are, by severity and status, and the last scan.',
    reply: FraudStats,
  },
  get: {
    method: 'GET',
    path: '/admin/fraud-reports/:id',
    access: 'ADMIN',
    summary: 'One report with its history and the user’s other reports.',
    params: ById,
    reply: FraudReportFile,
  },
  resolve: {
    ...decide,
    path: '/admin/fraud-reports/:id/resolve',
    summary: 'Resolve a report. 409 if it has already been decided.',
    body: Resolve,
  },
  dismiss: {
    ...decide,
    path: '/admin/fraud-reports/:id/dismiss',
    summary: 'Dismiss a report. 409 if it has already been decided.',
    body: Dismiss,
  },
  scan: {
    method: 'POST',
    path: '/admin/fraud-scan/trigger',
    access: 'ADMIN',
    summary: 'Start a scan, or return the one that is running.',
    reply: FraudScan,
  },
  generateSamples: {
    method: 'POST',
    path: '/admin/fraud-reports/generate-samples',
    access: 'ADMIN',
    summary: 'Create a few reports about existing users, marked as samples.',
    reply: z.object({ created: z.int() }),
    status: 201,
    idempotent: true,
  },
  clear: {
    method: 'DELETE',
    path: '/admin/fraud-reports/clear',
    access: 'ADMIN',
    summary: 'Delete the samples and archive all other reports, which are kept but no longer listed.',
    reply: z.object({ samplesRemoved: z.int(), archived: z.int() }),
  },
})
