/** Where the parts of the rehearsal listen: each machine is an address of the loopback interface. */
import { freePort } from '../screens/freePort.ts'

export const nodeHosts = ['127.0.0.11', '127.0.0.12', '127.0.0.13'] as const
export const serverHosts = ['127.0.0.21', '127.0.0.22'] as const

export type Ports = Record<
  'etcd' | 'etcdPeers' | 'postgres' | 'patroni' | 'primary' | 'replicas' | 'first' | 'second' | 'https',
  number
>

export const choosePorts = async (): Promise<Ports> => ({
  etcd: await freePort(),
  etcdPeers: await freePort(),
  postgres: await freePort(),
  patroni: await freePort(),
  primary: await freePort(),
  replicas: await freePort(),
  first: await freePort(),
  second: await freePort(),
  https: await freePort(),
})

export const password = 'of-the-rehearsal'
