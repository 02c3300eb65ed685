// Properties draw the same cases in every run of `npm test`, so that it says the same of the same code. `npm run test:faults`
// draws others each time; a case that fails is told with its seed.

import fc from 'fast-check'

if (process.env.PROPERTY_RUNS === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 })
