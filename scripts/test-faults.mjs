// The fault tests in full: every scenario instead of the first, with twenty kills instead of two. A run that failed prints
// its FAULT_SEED; given back, the kills come at the same moments. The deletion of an empresa
// before every statement of every call, the faults of live mode on both roads, and the engine's properties with ten times the cases,
// drawn anew each time.
process.env.FAULT_ROUNDS ??= '20'
process.env.PROPERTY_RUNS ??= '10'
process.argv.push(
  'packages/server/test/faults',
  'packages/server/test/faults-live',
  'packages/server/test/deleted-empresa.test.ts',
  'packages/dte/test/properties.test.ts',
  'packages/dte/src/xml',
)
await import('./test.mjs')
