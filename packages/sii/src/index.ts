export { type Ambiente, SII_HOSTS, type SiiHosts, type SiiService, simulatedHosts } from './hosts.ts'
