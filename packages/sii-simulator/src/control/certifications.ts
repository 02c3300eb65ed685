import {
  allCertifications,
  boletaCertificationsOf,
  certificationOf,
  keepCertification,
  remind,
  STEPS,
} from '../certification/register.ts'
import { moveTo } from '../certification/steps.ts'
import { json } from '../door.ts'
import { flag, oneOf, optional, readInput, rut } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

const CHANGE = { rut, step: optional(oneOf(STEPS)), expire_set: optional(flag) }

/** Looks into certifications, and moves one by hand: to a step, or past the life of its set. */
export const CERTIFICATION_ROUTES: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/control/certifications',
    handle: (ctx) => json({ data: allCertifications(ctx), boletas: boletaCertificationsOf(ctx, '') }),
  },
  {
    method: 'POST',
    path: '/control/certifications',
    handle(ctx, { input }) {
      const { rut: company, step, expire_set } = readInput(input, CHANGE)
      let certification = certificationOf(ctx, company)
      if (certification === null) throw new ControlRefusal(`${company} has not applied for certification.`)
      const now = ctx.clock.now()
      if (expire_set && certification.set !== null)
        certification = keepCertification(ctx, {
          ...certification,
          set: { ...certification.set, expires_at: now },
        })
      if (step !== null) {
        // The resolution follows from the last step, as when it is reached by declaring.
        const resolution_at = step === 'AUTORIZACION' || step === 'AUTORIZADA' ? now : certification.resolution_at
        const reached = step === 'AUTORIZADA' ? 'AUTORIZACION' : step
        certification = moveTo(ctx, { ...certification, resolution_at }, reached)
        remind(ctx, company, now)
      }
      return json(certification)
    },
  },
]
