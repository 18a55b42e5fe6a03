import { expect, test } from 'vitest'
import { detailsOf, reasonOf, severityFace } from './severity.ts'

test('each severity has its own look, and critical and high are destructive', () => {
  expect(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].map(severity => severityFace(severity))).toMatchObject([
    { label: 'Critical', tone: 'red' },
    { label: 'High', tone: 'red' },
    { label: 'Medium', tone: 'neutral' },
    { label: 'Low', tone: 'outline' },
  ])
})

test.each(['SEVERE', 'toString', '', null, undefined])('a severity of %s is shown as unknown', severity => {
  expect(severityFace(severity)).toMatchObject({ label: 'UNKNOWN', tone: 'gray' })
})

test('a report without a reason or details shows the specification’s defaults', () => {
  expect([reasonOf('Shared device'), detailsOf('Three accounts')]).toEqual(['Shared device', 'Three accounts'])
  for (const none of ['', null, undefined]) {
    expect([reasonOf(none), detailsOf(none)]).toEqual(['Fraud Detected', 'No additional details available'])
  }
})
