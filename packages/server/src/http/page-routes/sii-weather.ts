import { siiWeatherPage } from '../../pages/sii-weather.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PlainRoute } from '../routes.ts'

/** How the SII answers, for people; `GET /v1/sii/status` tells programs. */
export function siiWeatherRoutes({ weather }: Pick<Ports, 'weather'>): PlainRoute[] {
  return [{ path: '/sii', answer: async () => siiWeatherPage(await weather.report()) }]
}
