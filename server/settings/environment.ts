// The environment as it was meant: without the variables that Kubernetes makes of services, without
// quotes that a tool has kept around values, and with the PORT of a hosting platform. Each change
// is told, in a sentence without any value.
import { otherVariables, settingVariables } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface EnvironmentNote {
  readonly name: string
  /** One or two sentences, beginning with the name. */
  readonly says: string
}

export interface MeantEnvironment {
  readonly env: Environment
  readonly notes: readonly EnvironmentNote[]
  /** Whether HC_PORT is that of PORT, by which a hosting platform says where to listen. */
  readonly isPortOfPlatform: boolean
}

/** Given the `env` of its result it changes nothing. */
export function meantEnvironment(given: Environment): MeantEnvironment {
  const env: Record<string, string | undefined> = { ...given }
  const notes = [...dropServices(env), ...unquote(env)]
  const port = env['PORT']?.trim() ?? ''
  const isPortOfPlatform = (env['HC_PORT']?.trim() ?? '') === '' && isPort(port)
  if (isPortOfPlatform) env['HC_PORT'] = port
  return { env, notes, isPortOfPlatform }
}

/** Some hosts put the name of a pipe there. */
function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535
}

const ADDRESS = /^(tcp|udp|sctp):\/\//

/**
 * Kubernetes gives each pod seven variables or more for each service. One called `hc-sandbox` makes
 * HC_SANDBOX_PORT=tcp://10.0.0.7:8788 and more.
 */
function dropServices(env: Record<string, string | undefined>): EnvironmentNote[] {
  const services = new Set<string>()
  for (const [name, value = ''] of Object.entries(env)) {
    const of = ADDRESS.test(value) ? /^(HC(?:_[A-Z0-9_]+)?)_PORT$/ : /^(HC(?:_[A-Z0-9_]+)?)_SERVICE_HOST$/
    const [, service] = of.exec(name) ?? []
    if (service !== undefined) services.add(service)
  }
  return [...services].map((service) => {
    const its = new RegExp(
      `^${service}_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`,
    )
    const isAddress = (name: string) => name === `${service}_PORT` && ADDRESS.test(env[name] ?? '')
    const names = Object.keys(env)
      .filter((name) => its.test(name) || isAddress(name))
      .toSorted()
    for (const name of names) delete env[name]
    const [first = '', ...others] = names
    const more = others.length === 0 ? 'comes' : `and ${others.length} more of its kind (${others.join(', ')}) come`
    return {
      name: first,
      says:
        `${first} ${more} from a Kubernetes service named ${service.toLowerCase().replaceAll('_', '-')}: ` +
        'passed over, as no setting. ' +
        'Say enableServiceLinks: false in the spec of the pod, or give the service a name that does not begin with hc.',
    }
  })
}

/** Read without quotes: `docker run --env-file` keeps them, every other reader takes them off. */
const UNQUOTED: ReadonlySet<string> = new Set([...settingVariables.keys(), ...otherVariables, 'NODE_ENV', 'PORT'])

function unquote(env: Record<string, string | undefined>): EnvironmentNote[] {
  const notes: EnvironmentNote[] = []
  for (const name of Object.keys(env)) {
    const [, , inside] = /^\s*(["'`])([^]*)\1\s*$/.exec(env[name] ?? '') ?? []
    if (inside === undefined || !UNQUOTED.has(name)) continue
    env[name] = inside
    notes.push({
      name,
      says:
        `${name} is written with quotes around its value, which docker run --env-file keeps: ` +
        'read without them. Take them out of the file. ' +
        'A secret that really begins and ends with a quote is given by a file of its own (its name with _FILE).',
    })
  }
  return notes
}
