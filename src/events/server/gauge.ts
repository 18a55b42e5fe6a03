import { Gauge } from 'prom-client'
import type { Gauges } from '../../kit/server/metrics.ts'
import { openStreams } from './streams.ts'

export const streamGauge: Gauges = registry => {
  const gauge = new Gauge({
    name: 'fieldtest_streams_open',
    help: 'Event streams that this server has open.',
    registers: [registry],
  })
  return async () => gauge.set(openStreams())
}
