// The fault tests in full: every scenario instead of the first, with twenty kills instead of two. A run that failed prints
// its FAULT_SEED; given back, the kills come at the same moments.
process.env.FAULT_ROUNDS ??= '20'
process.argv.push('packages/server/test/faults')
await import('./test.mjs')
