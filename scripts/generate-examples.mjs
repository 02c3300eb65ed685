// Plays the scenes of packages/server/test/examples and writes openapi/examples.json. An example that still holds stays as
// it is; `npm run generate:examples -- all` records every one of them anew.
process.env.UPDATE_EXAMPLES = process.argv.splice(2).includes('all') ? 'all' : 'changed'
process.argv.push('packages/server/test/examples.test.ts')
await import('./test.mjs')
