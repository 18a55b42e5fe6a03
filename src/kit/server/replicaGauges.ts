import { Counter, Gauge } from 'prom-client'
import type { Gauges } from './metrics.ts'
import { readsBy } from './replicaReads.ts'
import { replicasNow } from './replicas.ts'

/** What this server knows about its standbys. */
export const replicaGauges: Gauges = registry => {
  const register = { labelNames: ['replica'], registers: [registry] }
  const usable = new Gauge({
    name: 'fieldtest_replica_usable',
    help: 'Whether the standby answers and is recent enough to be read from.',
    ...register,
  })
  const lag = new Gauge({
    name: 'fieldtest_replica_lag_seconds',
    help: 'How many seconds the standby is behind the primary; missing while it does not answer.',
    ...register,
  })
  const reads = new Counter({
    name: 'fieldtest_replica_reads_total',
    help: 'Reads that a standby may answer, by who answered: a standby, the primary instead, or the primary after a standby failed.',
    labelNames: ['by'],
    registers: [registry],
  })
  return async () => {
    usable.reset()
    lag.reset()
    reads.reset()
    for (const { name: replica, usable: isUsable, lagSeconds } of replicasNow()) {
      usable.set({ replica }, isUsable ? 1 : 0)
      if (lagSeconds !== null) lag.set({ replica }, lagSeconds)
    }
    for (const [by, count] of Object.entries(readsBy)) reads.inc({ by }, count)
  }
}
