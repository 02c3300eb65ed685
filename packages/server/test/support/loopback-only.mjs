// Refuses every connection, datagram and name look-up that would leave this machine, in any Node process that loads it:
// test workers by `loopback-only-setup.ts`, and the processes that tests start by NODE_OPTIONS. Plain JavaScript, because
// those may be built servers.
import { ChildProcess } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** The file in which each process writes down what it refused, for the test that has to fail for it. */
const REFUSALS = 'LOOPBACK_ONLY_REFUSALS'

const INSTALLED = Symbol.for('timbre.loopback-only')

const LOOPBACK = new net.BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
// "Any address of this machine" to those who listen, and this machine to those who connect.
LOOPBACK.addAddress('0.0.0.0', 'ipv4')
LOOPBACK.addAddress('::', 'ipv6')

const isLoopbackAddress = (address) => LOOPBACK.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4')
const isLoopbackName = (name) => name === 'localhost' || name.endsWith('.localhost')

function refuse(what) {
  const refusal = new Error(`No test leaves this machine: ${what} was refused`)
  const file = process.env[REFUSALS]
  const from = refusal.stack
    ?.split('\n')
    .find((line) => /^\s+at .*\.[cm]?[jt]s/.test(line) && !line.includes('loopback-only.mjs'))
  if (file) appendFileSync(file, `${refusal.message} (process ${process.pid}, ${from?.trim() ?? 'somewhere'})\n`)
  return refusal
}

/** The look-up of a connection, which may be the caller's own: whatever it answers must be loopback too. */
function checkedLookup(lookup) {
  return (name, options, done) =>
    lookup(name, options, (error, found, ...rest) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found]
      const outside = error ? undefined : addresses.find((address) => !isLoopbackAddress(address))
      if (outside === undefined) done(error, found, ...rest)
      else done(refuse(`a connection to ${name} (${outside})`), Array.isArray(found) ? [] : '')
    })
}

function guardConnections() {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...given) {
    const args = Array.isArray(given[0]) ? given[0] : net._normalizeArgs(given)
    const { path, host = 'localhost', port } = args[0]
    if (path) return connect.call(this, args)
    if (net.isIP(host) && !isLoopbackAddress(host)) throw refuse(`a connection to ${host}:${port}`)
    args[0] = { ...args[0], lookup: checkedLookup(args[0].lookup ?? dns.lookup) }
    return connect.call(this, args)
  }
}

function guardDatagrams() {
  for (const method of ['send', 'connect']) {
    const original = dgram.Socket.prototype[method]
    dgram.Socket.prototype[method] = function (...args) {
      const address = args.slice(1).find((arg) => typeof arg === 'string') ?? 'localhost'
      if (net.isIP(address) ? isLoopbackAddress(address) : isLoopbackName(address)) return original.apply(this, args)
      throw refuse(`a datagram to ${address}`)
    }
  }
}

// A name server answers for each of these, and none is on this machine.
const QUERIES = Object.keys(dns.Resolver.prototype).filter((name) => /^(resolve|reverse)/.test(name))

function guardNames() {
  const isKnown = (name) => net.isIP(name) !== 0 || isLoopbackName(name)
  const { lookup } = dns
  dns.lookup = (name, ...rest) => {
    if (!name || isKnown(name)) return lookup(name, ...rest)
    process.nextTick(rest.at(-1), refuse(`a look-up of ${name}`))
    return {}
  }
  const { lookup: promised } = dns.promises
  dns.promises.lookup = async (name, ...rest) => {
    if (!name || isKnown(name)) return promised(name, ...rest)
    throw refuse(`a look-up of ${name}`)
  }
  for (const query of QUERIES) {
    for (const home of [dns, dns.Resolver.prototype])
      home[query] = (name, ...rest) => {
        process.nextTick(rest.at(-1), refuse(`a DNS query for ${name}`))
        return {}
      }
    for (const home of [dns.promises, dns.promises.Resolver.prototype])
      home[query] = async (name) => {
        throw refuse(`a DNS query for ${name}`)
      }
  }
}

/** Whatever environment a test gives to a process it starts, the guard goes with it. */
function guardChildren() {
  const option = `--import=${import.meta.url}`
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, option].filter(Boolean).join(' ')
  const { spawn } = ChildProcess.prototype
  ChildProcess.prototype.spawn = function (options) {
    const given = (options.envPairs ?? []).filter((pair) => !/^(NODE_OPTIONS|LOOPBACK_ONLY_REFUSALS)=/.test(pair))
    const own = options.envPairs?.find((pair) => pair.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length) ?? ''
    const node_options = own.includes(option) ? own : `${own} ${option}`.trim()
    const refusals = process.env[REFUSALS] ?? ''
    const envPairs = [...given, `NODE_OPTIONS=${node_options}`, `${REFUSALS}=${refusals}`]
    return spawn.call(this, { ...options, envPairs })
  }
}

if (!globalThis[INSTALLED]) {
  globalThis[INSTALLED] = true
  guardConnections()
  guardDatagrams()
  guardNames()
  guardChildren()
  syncBuiltinESMExports()
}
