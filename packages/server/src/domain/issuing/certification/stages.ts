import type { StepKey } from '../../platform/onboarding/lanes.ts'
import { runBoletas } from './boletas-stage.ts'
import { runCompliance } from './compliance-stage.ts'
import { runExchange } from './exchange-stage.ts'
import { runPostulation } from './postulation-stage.ts'
import { runSamples } from './samples-stage.ts'
import { runSet } from './set-stage.ts'
import { runSimulation } from './simulation-stage.ts'
import type { Stage } from './stage.ts'

interface Stages {
  /** Carries the step out. */
  readonly run: Stage
  /** Makes ready what a person is shown before they approve it. */
  readonly prepare?: Stage
}

/** The steps of an onboarding that the service carries out at the SII by itself. */
export const STAGES: Readonly<Partial<Record<StepKey, Stages>>> = {
  sii_postulacion: { run: runPostulation },
  set_de_pruebas: { run: runSet },
  simulacion: { run: runSimulation },
  intercambio: { run: runExchange },
  muestras_impresas: { run: runSamples },
  cumplimiento: { run: runCompliance },
  habilitacion: { run: runBoletas },
}
