import { startEmbeddedPostgres } from '../../src/adapters/postgres/embedded.ts'

// A process of its own that holds a data folder until it is killed; it says in one line of JSON how the start went.
const [dataDir = ''] = process.argv.slice(2)
try {
  const { url, adopted } = await startEmbeddedPostgres({ dataDir, maxConnections: 20 })
  console.log(JSON.stringify({ url, adopted }))
  setInterval(() => undefined, 60_000)
} catch (error) {
  const { name, message } = error as Error
  console.log(JSON.stringify({ name, message }))
}
