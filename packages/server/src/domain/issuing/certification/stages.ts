import type { StepKey } from '../../platform/onboarding/lanes.ts'
import { runBoletas } from './boletas-stage.ts'
import { runCompliance } from './compliance-stage.ts'
import { runExchange } from './exchange-stage.ts'
import { runPostulation } from './postulation-stage.ts'
import { runSamples } from './samples-stage.ts'
import { runSet } from './set-stage.ts'
import { runSimulation } from './simulation-stage.ts'
import type { Stage } from './stage.ts'

/** The steps of an onboarding that the service carries out at the SII by itself. */
export const STAGES: Readonly<Partial<Record<StepKey, Stage>>> = {
  sii_postulacion: runPostulation,
  set_de_pruebas: runSet,
  simulacion: runSimulation,
  intercambio: runExchange,
  muestras_impresas: runSamples,
  cumplimiento: runCompliance,
  habilitacion: runBoletas,
}
