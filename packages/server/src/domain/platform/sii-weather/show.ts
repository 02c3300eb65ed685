import { type ListPage, OPERATOR, pageById } from '../../../kernel/cursor.ts'
import type { WeatherPoint, WeatherReport } from '../../../ports/sii-weather.ts'
import type { BaseContext, InstallationContext } from '../../context.ts'
import type { SiiCall, SiiCallQuery, SiiStatus } from './schema.ts'
import { type CallRow, listCalls } from './store.ts'

const showPoint = ({ at, ...figures }: WeatherPoint) => ({ at: at.toISOString(), ...figures })

export function showStatus({ measured_at, weather }: WeatherReport): SiiStatus {
  return {
    object: 'sii_status',
    measured_at: measured_at.toISOString(),
    environments: weather.map(({ ambiente, services, verdicts }) => ({
      ambiente,
      services: services.map(({ day, month, ...service }) => ({
        ...service,
        last_24_hours: day.map(showPoint),
        last_30_days: month.map(showPoint),
      })),
      verdicts,
    })),
  }
}

export async function readStatus({ ports }: Pick<BaseContext, 'ports'>): Promise<SiiStatus> {
  return showStatus(await ports.weather.report())
}

const showCall = ({ at, trace, ...row }: CallRow): SiiCall =>
  ({ object: 'sii_call', ...row, at: at.toISOString(), trace }) as SiiCall

export async function listSiiCalls(ctx: InstallationContext, query: SiiCallQuery): Promise<ListPage<SiiCall>> {
  const { limit, cursor, ...filter } = query
  const fetch = (page: { before: string | null; take: number }) => listCalls(ctx.sql, { ...filter, ...page })
  return pageById({ ...ctx, account: OPERATOR }, 'sii_calls', filter, { limit, cursor }, fetch, showCall)
}
