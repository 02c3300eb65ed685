import type { Config } from './config.ts'
import type { Simulator } from './simulator.ts'

type Listening = Pick<Config, 'port' | 'metrics_port' | 'reception_smtp_port' | 'redis_url' | 'smtp_url'>

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'smtp:': 587,
  'smtps:': 465,
}

function portIn(url: string | null | undefined): number | undefined {
  if (!url) return undefined
  const { port, protocol } = new URL(url)
  return port === '' ? DEFAULT_PORTS[protocol] : Number(port)
}

/**
 * The ports behind which our own processes listen, where they are on this machine: the service, its metrics, its mail server,
 * its database, and a simulator of the SII with its control. No webhook is sent to them. Those that the system chooses are added as they open.
 */
export function ownPorts(config: Listening, database_url: string, simulator: Simulator | null): Set<number> {
  const ports = [
    config.port,
    config.metrics_port,
    config.reception_smtp_port,
    ...[config.redis_url, config.smtp_url, database_url, simulator?.url, simulator?.control_url].map(portIn),
  ]
  return new Set(ports.filter((port) => typeof port === 'number' && port > 0) as number[])
}
